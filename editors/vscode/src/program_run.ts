// Runs of programs other than the server: short ones whose words are read, long ones in a terminal.
import { execFile } from 'node:child_process';
import * as os from 'node:os';
import { ProcessExecution, Task, TaskRevealKind, TaskScope, tasks } from 'vscode';

export interface Run {
  /** Standard output and error together; what went wrong where the program says nothing. */
  readonly words: string;
  /** Exit status 0. */
  readonly isFine: boolean;
}

export function runProgram(program: string, args: readonly string[], timeoutMs = 60_000): Promise<Run> {
  return new Promise((resolve) => {
    const options = { cwd: os.homedir(), timeout: timeoutMs, maxBuffer: 16 << 20 };
    execFile(program, [...args], options, (error, stdout, stderr) => {
      const words = stdout + stderr;
      const isFine = error === null;
      resolve({ words: words !== '' || isFine ? words : `${program}: ${error.message}`, isFine });
    });
  });
}

/** The words alone, of a program whose exit status does not count. */
export async function wordsOf(program: string, args: readonly string[], timeoutMs?: number): Promise<string> {
  return (await runProgram(program, args, timeoutMs)).words;
}

/** Runs in a terminal that the user sees; the exit status. No shell reads the arguments. */
export async function runInTerminal(name: string, program: string, args: readonly string[]): Promise<number> {
  const execution = new ProcessExecution(program, [...args], { cwd: os.homedir() });
  const task = new Task({ type: 'tenon' }, TaskScope.Workspace, name, 'tenon', execution);
  task.presentationOptions = { reveal: TaskRevealKind.Always, clear: true };
  const started = await tasks.executeTask(task);
  return new Promise((resolve) => {
    const finish = (status: number): void => {
      ofProcess.dispose();
      ofTask.dispose();
      resolve(status);
    };
    const ofProcess = tasks.onDidEndTaskProcess((end) => {
      if (end.execution === started) finish(end.exitCode ?? 1);
    });
    // A program that cannot be launched has no process. Where there is one, its end comes about now.
    const ofTask = tasks.onDidEndTask((end) => {
      if (end.execution === started) setTimeout(finish, 500, 1);
    });
  });
}
