// A line that the server has written to its standard error, with its level.
//
// Example: `12:00:01.250 warning no grammar for language 'x'` is a warning. What has not this form,
// such as the last words of a library, is an error: it is the only trace of a crash.
//
// The bytes come in pieces, which may end inside a line and inside a character. The last line may
// lack its end.
//
// Source: the pattern `%H:%M:%S.%e %l %v` of server/invocation/invocation.cpp.

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

const kLine = /^\d\d:\d\d:\d\d\.\d+ (trace|debug|info|warning|error|critical) (.*)$/;
const kLevels: Readonly<Record<string, LogLevel>> = { warning: 'warn', critical: 'error' };

/** Gives `take` each line of `input` that is not blank. */
export function eachLine(input: NodeJS.ReadableStream, take: (line: string) => void): void {
  let rest = '';
  const takeWhole = (text: string): void => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') take(line.trimEnd());
  };
  input.setEncoding('utf8');
  input.on('data', takeWhole);
  input.on('end', () => takeWhole('\n'));
}

export function readLogLine(line: string): { level: LogLevel; text: string } {
  const parts = kLine.exec(line);
  if (parts === null) return { level: 'error', text: line };
  const [, level, text] = parts as unknown as [string, string, string];
  return { level: kLevels[level] ?? (level as LogLevel), text };
}
