// The command "Find or install the program": looks once more, and where there is no program offers
// three ways to one. No way fetches a program from the net by its name alone.
import * as os from 'node:os';
import * as path from 'node:path';
import { ConfigurationTarget, Uri, window, workspace, type OpenDialogOptions, type QuickPickItem } from 'vscode';

import { searchProgram } from './machine';
import { runInTerminal, wordsOf } from './program_run';
import type { Session } from './session';

interface Way extends QuickPickItem {
  readonly go: () => Promise<boolean>;
}

const kWays: readonly Way[] = [
  {
    label: 'Choose the program…',
    detail: 'It lies somewhere on this machine.',
    go: async () => setPath(await pick({ title: 'The program tenon', openLabel: 'Use this program' })),
  },
  {
    label: 'Install a package that I have…',
    detail: 'A Debian package (.deb) with apt, or a wheel (.whl) in a virtual environment of its own.',
    go: installPackage,
  },
  {
    label: "Build it from tenon's sources…",
    detail: 'On Debian 12: sets up, builds and fetches the small model, in a terminal.',
    go: buildSources,
  },
];

export async function findOrInstallProgram(session: Session): Promise<void> {
  const search = await searchProgram();
  if ('program' in search) {
    const version = (await wordsOf(search.program, ['--version'])).trim();
    void window.showInformationMessage(`tenon: ${search.program} is ${version || 'there'}.`);
    if (session.process.is !== 'running') await session.restart();
    return;
  }
  const way = await window.showQuickPick(kWays, { title: `tenon: ${search.fault}` });
  if (way !== undefined && (await way.go())) await session.restart();
}

async function pick(options: OpenDialogOptions): Promise<string | undefined> {
  const picked = await window.showOpenDialog({ defaultUri: Uri.file(os.homedir()), ...options });
  return picked?.[0]?.fsPath;
}

async function setPath(file: string | undefined): Promise<boolean> {
  if (file === undefined) return false;
  await workspace.getConfiguration('tenon').update('server.path', file, ConfigurationTarget.Global);
  return true;
}

async function installPackage(): Promise<boolean> {
  const file = await pick({
    title: "tenon's package",
    openLabel: 'Install this package',
    filters: { Packages: ['deb', 'whl'] },
  });
  if (file === undefined) return false;
  if (file.endsWith('.whl')) return installWheel(file);
  return (await runInTerminal('install the program', 'sudo', ['apt-get', 'install', file])) === 0;
}

// The Pythons of Debian 12 and others refuse what pip would install for the user as a whole.
async function installWheel(file: string): Promise<boolean> {
  const folder = path.join(os.homedir(), '.local', 'share', 'tenon', 'venv');
  const made = await runInTerminal('make a virtual environment', 'python3', ['-m', 'venv', folder]);
  if (made !== 0) return false;
  const pip = path.join(folder, 'bin', 'pip');
  const status = await runInTerminal('install the program', pip, ['install', '--force-reinstall', file]);
  return status === 0 && setPath(path.join(folder, 'bin', 'tenon'));
}

async function buildSources(): Promise<boolean> {
  const folder = await pick({
    title: "The folder of tenon's sources",
    openLabel: 'Build in this folder',
    canSelectFiles: false,
    canSelectFolders: true,
  });
  if (folder === undefined) return false;
  const status = await runInTerminal('build the program', path.join(folder, 'tools', 'build'), ['release', 'tenon']);
  return status === 0 && setPath(path.join(folder, 'build', 'release', 'tenon'));
}
