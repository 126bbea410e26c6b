/** Files, for what is too large for a table item. */
export type Objects = {
  put: (name: string, bytes: Uint8Array, type: string) => Promise<void>;
  remove: (name: string) => Promise<void>;
  /** Deletes a page of the files below a path; true where there may be more. */
  deletePage: (below: string) => Promise<boolean>;
};
