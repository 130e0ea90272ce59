// Which settings go to the server, and by which way.
//
// VS Code knows a default for every setting. The server knows better: its user's file
// (`~/.config/tenon/config.toml`) holds what is meant for all editors. So only values that somebody
// has given are passed on, but for items of the list and the time of an answer, where VS Code needs
// other values than the server has. They go by three ways, as docs/settings.md asks for:
//
//   given at the start     of whom                way
//   log, logFile, cacheMb  needed before a client  flags of the command line
//                          speaks
//   model, adapter, ...    the user's alone        initializationOptions
//   all others             folder or user          the answer to workspace/configuration
//
// Example: {maxTokens: 32, model: "/m.gguf", log: "debug"} starts `tenon --log debug --stdio` with
// {model: "/m.gguf"}, and answers {maxTokens: 32} and the values of VS Code when the server asks.

/** Values that somebody has given, by the name without `tenon.`. */
export type Given = Readonly<Record<string, unknown>>;

/** The settings that the server takes from the user, and from no folder. */
export const kOfUser = ['model', 'adapter', 'threads', 'engine', 'device', 'grammars'] as const;
/** The settings that are flags of the command line, with their flags. */
export const kOfProgram = { log: '--log', logFile: '--log-file', cacheMb: '--cache-mb' } as const;
/** The settings that a folder may give, too. */
export const kOfFolder = [
  'enabled',
  'completion.enabled',
  'inlineCompletion.enabled',
  'languages',
  'maxTokens',
  'completion.automaticBudgetMs',
  'completion.invokedBudgetMs',
  'scope',
  'constraint',
  'levels',
  'workAhead',
  'otherFiles',
  'anyLanguage',
  'multiline',
  'temperature',
  'seed',
  'candidates',
  'sureness',
] as const;
/** The settings that are the extension's own. */
export const kOfClient = ['server.path', 'server.arguments', 'trace.server'] as const;
/** Items of the list are off in VS Code unless they are switched on: an open list hides ghost text. */
export const kList = { 'completion.enabled': false } as const;
/**
 * Milliseconds of an answer. Ghost text waits for nobody, and a key cancels its request; after an
 * answer that the time has cut VS Code asks nothing until the next key. So an answer may take long.
 */
export const kBudgets = {
  'completion.automaticBudgetMs': 30_000,
  'completion.invokedBudgetMs': 30_000,
} as const;
/** A new value of these needs another server. */
export const kNeedRestart: readonly string[] = [
  ...kOfUser,
  ...Object.keys(kOfProgram),
  'server.path',
  'server.arguments',
];

/** The arguments of the program. */
export function programArguments(given: Given): string[] {
  const out = Array.isArray(given['server.arguments']) ? given['server.arguments'].map(String) : [];
  for (const [name, flag] of Object.entries(kOfProgram)) {
    const value = given[name];
    if (value !== undefined && value !== null && value !== '') out.push(flag, String(value));
  }
  return [...out, '--stdio'];
}

/** The settings of initializationOptions. An empty model means tenon's choice. */
export function userSettings(given: Given): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const name of kOfUser) {
    const value = given[name];
    const isTenonsChoice = value === undefined || value === null || (name === 'model' && value === '');
    if (!isTenonsChoice) out[name] = value;
  }
  return out;
}

/** The answer to workspace/configuration for the section `tenon`. */
export function folderSettings(given: Given): Record<string, unknown> {
  // VS Code's list waits for its slowest source: with tenon in it the server's own time counts.
  const hasList = given['completion.enabled'] === true;
  const out: Record<string, unknown> = { ...kList, ...(hasList ? {} : kBudgets) };
  for (const name of kOfFolder) {
    const value = given[name];
    if (value !== undefined && value !== null) out[name] = value;
  }
  return out;
}
