// Files for which the user has switched completion off.
//
// Example: after `flip("file:///a.py")` nothing is completed in a.py, in this folder's next session
// too; after a second one it is again. A language and everything are switched by settings.
//
// The oldest file is forgotten when there are more than kMaxFiles.

export const kMaxFiles = 500;

/** Where the files are kept between sessions. */
export interface Memory {
  read(): readonly string[];
  write(files: readonly string[]): void;
}

export class FileToggles {
  private readonly files: Set<string>;

  constructor(private readonly memory: Memory) {
    this.files = new Set(memory.read());
  }

  isOff(uri: string): boolean {
    return this.files.has(uri);
  }

  /** Is completion on for the file afterwards? */
  flip(uri: string): boolean {
    const turnsOn = this.files.delete(uri);
    if (!turnsOn) this.files.add(uri);
    this.memory.write([...this.files].slice(-kMaxFiles));
    return turnsOn;
  }
}

/** Is a language on? `*` means all that are not named. */
export function isLanguageOn(languages: Readonly<Record<string, boolean>>, language: string): boolean {
  return languages[language] ?? languages['*'] ?? true;
}
