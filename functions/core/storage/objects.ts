/** Files, for what is too large for a table item. */
export type Objects = {
  put: (name: string, bytes: Uint8Array, type: string) => Promise<void>;
  remove: (name: string) => Promise<void>;
  /** Deletes some files below a path; answers whether there may be more. */
  removeSome: (below: string) => Promise<boolean>;
};
