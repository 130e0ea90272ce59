// The commands that switch completion on and off: for a file, for a language, everywhere.
import { ConfigurationTarget, window, workspace, type Memento, type TextDocument } from 'vscode';

import { FileToggles, isLanguageOn, type Memory } from './toggles';

const kKey = 'tenon.filesOff';

export class Switches {
  private readonly files: FileToggles;

  constructor(memento: Memento) {
    const memory: Memory = {
      read: () => memento.get<string[]>(kKey, []),
      write: (files) => void memento.update(kKey, files),
    };
    this.files = new FileToggles(memory);
  }

  isOff(document: TextDocument): boolean {
    return this.files.isOff(document.uri.toString());
  }

  /** Is the file, its language or everything switched off? */
  isOffAnywhere(document: TextDocument): boolean {
    const settings = workspace.getConfiguration('tenon', document);
    const languages = settings.get<Record<string, boolean>>('languages', {});
    const isOn = settings.get('enabled', true) && isLanguageOn(languages, document.languageId);
    return !isOn || this.isOff(document);
  }

  flipFile(document: TextDocument): void {
    say(this.files.flip(document.uri.toString()), 'this file');
  }

  async flipLanguage(document: TextDocument): Promise<void> {
    const settings = workspace.getConfiguration('tenon', document);
    const languages = settings.get<Record<string, boolean>>('languages', {});
    const on = !isLanguageOn(languages, document.languageId);
    await update('languages', { ...languages, [document.languageId]: on }, document);
    say(on, document.languageId);
  }

  async flipEverywhere(): Promise<void> {
    const on = !workspace.getConfiguration('tenon').get('enabled', true);
    await update('enabled', on);
    say(on, 'all files');
  }
}

// Where a folder has a value of its own, that one decides, so that one is changed.
async function update(name: string, value: unknown, scope?: TextDocument): Promise<void> {
  const settings = workspace.getConfiguration('tenon', scope);
  const seen = settings.inspect(name);
  const target =
    seen?.workspaceFolderValue !== undefined
      ? ConfigurationTarget.WorkspaceFolder
      : seen?.workspaceValue !== undefined
        ? ConfigurationTarget.Workspace
        : ConfigurationTarget.Global;
  await settings.update(name, value, target);
}

function say(on: boolean, what: string): void {
  window.setStatusBarMessage(`tenon: completion is ${on ? 'on' : 'off'} for ${what}`, 5000);
}
