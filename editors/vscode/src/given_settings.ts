// The values of settings that somebody has given, and not VS Code's defaults.
//
// Example: the user's settings hold {"tenon.maxTokens": 32}, the folder's {"tenon.model": "x"}. The
// result is {maxTokens: 32}: settings that name a program, a model or a file have the scope
// `machine`, for which VS Code takes no folder's value, and here only the user's is looked at.
import { workspace, type ConfigurationScope } from 'vscode';

import { kOfClient, kOfFolder, kOfProgram, kOfUser, type Given } from './server_settings';

/** The user's own, for starting the server. */
export function givenByUser(): Given {
  const section = workspace.getConfiguration('tenon');
  const out: Record<string, unknown> = {};
  for (const name of [...kOfClient, ...kOfUser, ...Object.keys(kOfProgram)]) {
    const value = section.inspect(name)?.globalValue;
    if (value !== undefined) out[name] = value;
  }
  return out;
}

/** Those of the user and of the folder that `scope` lies in. */
export function givenForFolder(scope?: ConfigurationScope): Given {
  const section = workspace.getConfiguration('tenon', scope);
  const out: Record<string, unknown> = {};
  for (const name of kOfFolder) {
    const seen = section.inspect(name);
    const isGiven =
      seen?.globalValue !== undefined ||
      seen?.workspaceValue !== undefined ||
      seen?.workspaceFolderValue !== undefined;
    if (isGiven) out[name] = section.get(name);
  }
  return out;
}
