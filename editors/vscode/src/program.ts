// Where is the program `tenon`?
//
// Example: nothing is configured and PATH is `/usr/bin:.`. The answer is `/usr/bin/tenon` where that
// is a program. The entry `.` is skipped: it means the folder that VS Code was started in, and a
// folder that somebody else wrote must not bring its own program.
//
// Order: the configured path alone; else PATH, then the folders of installations. A configured name
// with a slash that is not absolute is refused for the same reason as `.`.
import * as path from 'node:path';

/** What of the machine the search looks at. */
export interface Machine {
  /** The variable PATH. */
  readonly path: string;
  readonly home: string;
  /** Is there a file that may be executed? */
  isProgram(file: string): boolean;
}

export type Search =
  | { readonly program: string }
  | { readonly fault: string; readonly searched: readonly string[] };

export function findProgram(configured: string, machine: Machine): Search {
  const wanted = expandHome(configured.trim(), machine.home);
  if (path.isAbsolute(wanted)) return first([wanted], `${wanted} is no program`, machine);
  if (wanted.includes('/') || wanted.includes('\\')) {
    return { fault: `'${wanted}' must be an absolute path or a name to look for in PATH`, searched: [] };
  }
  if (wanted !== '') return first(inFolders(pathFolders(machine), wanted), `PATH holds no '${wanted}'`, machine);
  const folders = [...pathFolders(machine), ...installationFolders(machine.home)];
  return first(inFolders(folders, 'tenon'), 'the program tenon was not found', machine);
}

function expandHome(file: string, home: string): string {
  return file === '~' || file.startsWith('~/') ? path.join(home, file.slice(1)) : file;
}

function pathFolders(machine: Machine): string[] {
  return machine.path.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
}

// pip and pipx, a prefix of the user, a prefix of the machine, a package.
function installationFolders(home: string): string[] {
  return [path.join(home, '.local', 'bin'), '/usr/local/bin', '/opt/tenon/bin', '/usr/bin'];
}

function inFolders(folders: readonly string[], name: string): string[] {
  return [...new Set(folders.map((folder) => path.join(folder, name)))];
}

function first(candidates: readonly string[], fault: string, machine: Machine): Search {
  const program = candidates.find((file) => machine.isProgram(file));
  return program === undefined ? { fault, searched: candidates } : { program };
}
