/** The store of files, for data that is too large for an item of the table. */
export type Objects = {
  put: (name: string, bytes: Uint8Array, type: string) => Promise<void>;
  remove: (name: string) => Promise<void>;
  /** Deletes a page of the files below a path. Returns true if there may be more. */
  deletePage: (below: string) => Promise<boolean>;
};
