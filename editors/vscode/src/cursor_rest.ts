// When the cursor rests at a place that the server can read ahead.
//
// At a new place the server reads the text for seconds before it completes, and without a word from
// here it would learn of the place with the first key there. So it is told where the cursor rests.
//
// Example: a click puts the cursor into another function. Nothing happens for kRestMs; then the place
// is told, once. Each key of typing moves the cursor, too, to the end of what it writes: there a
// suggestion is asked for anyway, and nothing is told.
//
// Another place, buffer or server begins the time anew; an edit or another window ends it.

export const kRestMs = 300;

/** A place in a version of a text. Line and character count from 0, the latter utf-16 units. */
export interface Place {
  readonly uri: string;
  readonly version: number;
  readonly line: number;
  readonly character: number;
}

/** A change of a text; offsets are those of the text before all changes of the edit. */
export interface Change {
  readonly rangeOffset: number;
  readonly rangeLength: number;
  readonly text: string;
}

export class CursorRest {
  private timer: NodeJS.Timeout | undefined;
  private edit: readonly Change[] = [];
  private told: string | undefined;

  /** `look` says where the cursor is; undefined: nowhere that the server wants to know of. */
  constructor(
    private readonly look: () => Place | undefined,
    private readonly tell: (place: Place) => void,
  ) {}

  /** The cursor has moved to an offset in the text. */
  moved(offset: number): void {
    const byTyping = touchesEdit(this.edit, offset);
    this.edit = [];
    if (byTyping) this.stop();
    else this.begin();
  }

  /** The text before the user has changed. */
  edited(changes: readonly Change[]): void {
    this.edit = changes;
    this.stop();
  }

  /** The user has turned to a text. */
  entered(): void {
    this.edit = [];
    this.begin();
  }

  /** Another server has been told nothing. */
  serverStarted(): void {
    this.told = undefined;
    this.entered();
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private begin(): void {
    this.stop();
    this.timer = setTimeout(() => this.rests(), kRestMs);
  }

  private rests(): void {
    const place = this.look();
    const key = JSON.stringify(place);
    if (place === undefined || key === this.told) return;
    this.told = key;
    this.tell(place);
  }
}

/** Does an offset of the text after an edit touch what the edit has written? */
export function touchesEdit(edit: readonly Change[], offset: number): boolean {
  let shift = 0;
  return [...edit]
    .sort((a, b) => a.rangeOffset - b.rangeOffset)
    .some(({ rangeOffset, rangeLength, text }) => {
      const begin = rangeOffset + shift;
      shift += text.length - rangeLength;
      return begin <= offset && offset <= begin + text.length;
    });
}
