const asked = new Set<() => boolean>();

/** Lets a form say, when it is asked, whether something in it is unsaved. */
export function mayBeUnsaved(unsaved: () => boolean) {
  asked.add(unsaved);
  return () => {
    asked.delete(unsaved);
  };
}

export const anythingUnsaved = (besides: ReadonlySet<() => boolean> = NONE) =>
  [...asked].some(unsaved => !besides.has(unsaved) && unsaved());

const NONE = new Set<() => boolean>();

/** The forms there are by now: what a dialog that opens does not answer for. */
export const formsSoFar = (): ReadonlySet<() => boolean> => new Set(asked);
