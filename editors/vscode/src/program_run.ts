// Runs of programs other than the server: short ones whose words are read, long ones in a terminal.
import { execFile } from 'node:child_process';
import * as os from 'node:os';
import { ProcessExecution, Task, TaskRevealKind, TaskScope, tasks } from 'vscode';

/** Standard output and error together; the program's exit status does not count. */
export function wordsOf(program: string, args: readonly string[], timeoutMs = 60_000): Promise<string> {
  return new Promise((resolve) => {
    const options = { cwd: os.homedir(), timeout: timeoutMs, maxBuffer: 16 << 20 };
    execFile(program, [...args], options, (error, stdout, stderr) => {
      const words = stdout + stderr;
      resolve(words !== '' || error === null ? words : `${program}: ${error.message}`);
    });
  });
}

/** Runs in a terminal that the user sees; the exit status. No shell reads the arguments. */
export async function runInTerminal(name: string, program: string, args: readonly string[]): Promise<number> {
  const execution = new ProcessExecution(program, [...args], { cwd: os.homedir() });
  const task = new Task({ type: 'tenon' }, TaskScope.Workspace, name, 'tenon', execution);
  task.presentationOptions = { reveal: TaskRevealKind.Always, clear: true };
  const started = await tasks.executeTask(task);
  return new Promise((resolve) => {
    const watch = tasks.onDidEndTaskProcess((end) => {
      if (end.execution !== started) return;
      watch.dispose();
      resolve(end.exitCode ?? 1);
    });
  });
}
