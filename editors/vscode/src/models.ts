// The models that `tenon --json model list` knows, and what to do to have one.
//
// Example: the line {"name": "small", "installed": false, "file_bytes": 145000000, ...} becomes an
// entry `small`, `145 MB, not installed`, and choosing it fetches it first.

export interface Model {
  readonly name: string;
  readonly isInstalled: boolean;
  readonly runs: boolean;
  readonly description: string;
}

/** Lines that are no models, such as the summary, are left out. */
export function readModels(lines: string): Model[] {
  const models: Model[] = [];
  for (const line of lines.split('\n')) {
    const entry = parseObject(line);
    if (typeof entry?.['name'] !== 'string' || typeof entry['installed'] !== 'boolean') continue;
    const megabytes = (bytes: unknown): string => `${Math.round(Number(bytes) / 1e6).toLocaleString('en')} MB`;
    const state = entry['installed'] ? 'installed' : 'not installed';
    models.push({
      name: entry['name'],
      isInstalled: entry['installed'],
      runs: entry['runs'] === true,
      description:
        `${megabytes(entry['file_bytes'])}, needs ${megabytes(entry['memory_bytes'])} of memory, ` +
        (entry['runs'] === true ? 'runs now' : state),
    });
  }
  return models;
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
