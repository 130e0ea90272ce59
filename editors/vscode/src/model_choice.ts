// The command "Choose a model": the models that tenon knows by name, a file of one's own, or tenon's
// own choice. One that is not installed is fetched first, in a terminal.
import { ConfigurationTarget, ProgressLocation, window, workspace, type QuickPickItem } from 'vscode';

import { searchProgram } from './machine';
import { readModels, type Model } from './models';
import { runInTerminal, runProgram, wordsOf } from './program_run';
import type { Session } from './session';

interface Choice extends QuickPickItem {
  /** Whether the server has to be started anew for it. */
  readonly take: () => Promise<boolean>;
}

export async function chooseModel(session: Session): Promise<void> {
  const search = await searchProgram();
  if (!('program' in search)) {
    void window.showErrorMessage(`tenon: ${search.fault}. Run the command "tenon: Find or install the program".`);
    return;
  }
  const program = search.program;
  const lines = await wordsOf(program, ['--json', 'model', 'list']);
  const choices: Choice[] = readModels(lines).map((model) => ({
    label: model.runs ? `$(check) ${model.name}` : model.name,
    description: model.description,
    take: () => takeNamed(program, model),
  }));
  choices.push(
    { label: 'A file…', description: 'a GGUF file of this machine', take: takeFile },
    {
      label: "tenon's choice",
      description: 'the first of its default models that is installed and fits the memory',
      take: () => use(program, '--default'),
    },
  );
  const choice = await window.showQuickPick(choices, { title: 'tenon: choose a model', matchOnDescription: true });
  if (choice !== undefined && (await choice.take())) await session.restart();
}

async function takeNamed(program: string, model: Model): Promise<boolean> {
  if (!model.isInstalled && !(await fetchModel(program, model.name))) return false;
  return use(program, model.name);
}

async function use(program: string, model: string): Promise<boolean> {
  const { words, isFine } = await runProgram(program, ['model', 'use', model]);
  if (!isFine) {
    void window.showErrorMessage(`tenon: ${words.trim()}`);
    return false;
  }
  window.setStatusBarMessage(`tenon: ${words.trim()}`, 8000);
  return !(await setModel(undefined));
}

async function fetchModel(program: string, name: string): Promise<boolean> {
  const options = { location: ProgressLocation.Window, title: `tenon: fetches ${name}` };
  const status = await window.withProgress(options, () => runInTerminal(`fetch ${name}`, program, ['model', 'pull', name]));
  if (status !== 0) void window.showErrorMessage(`tenon: ${name} could not be fetched; the terminal says why.`);
  return status === 0;
}

async function takeFile(): Promise<boolean> {
  const files = await window.showOpenDialog({
    title: 'The model',
    openLabel: 'Use this model',
    filters: { 'GGUF files': ['gguf'], 'All files': ['*'] },
  });
  if (files?.[0] === undefined) return false;
  return !(await setModel(files[0].fsPath));
}

// The setting stands above what `tenon model use` keeps. True where it has changed, which restarts
// the server.
async function setModel(model: string | undefined): Promise<boolean> {
  const section = workspace.getConfiguration('tenon');
  if ((section.inspect<string>('model')?.globalValue || undefined) === model) return false;
  await section.update('model', model, ConfigurationTarget.Global);
  return true;
}
