/** Files: whatever is too large for a table row. */
export type Objects = {
  put: (name: string, bytes: Uint8Array, type: string) => Promise<void>;
  remove: (name: string) => Promise<void>;
  /** Removes a part of what lies below a path; answers whether there may be more. */
  removeSome: (below: string) => Promise<boolean>;
};
