// This machine, as the search for the program sees it.
import { constants } from 'node:fs';
import * as fs from 'node:fs';
import * as os from 'node:os';
import { commands } from 'vscode';

import { givenByUser } from './given_settings';
import { findProgram, type Search } from './program';

/** Looks for the program, and lets the walkthrough know whether it is there. */
export async function searchProgram(): Promise<Search> {
  const configured = givenByUser()['server.path'];
  const search = findProgram(typeof configured === 'string' ? configured : '', {
    path: process.env['PATH'] ?? '',
    home: os.homedir(),
    isProgram,
  });
  await commands.executeCommand('setContext', 'tenon.hasProgram', 'program' in search);
  return search;
}

function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
