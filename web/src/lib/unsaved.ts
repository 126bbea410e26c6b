const asked = new Set<() => boolean>();

/** Lets a form say, when it is asked, whether something in it is unsaved. */
export function mayBeUnsaved(unsaved: () => boolean) {
  asked.add(unsaved);
  return () => {
    asked.delete(unsaved);
  };
}

export const anythingUnsaved = () => [...asked].some(unsaved => unsaved());
