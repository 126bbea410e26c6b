/** A fault in the product, planted as its module is loaded: the file itself stays as it is. */
export type Planted = {
  name: string;
  file: string;
  /** Occurs in the file exactly once. */
  find: string;
  replace: string;
  /** The invariant that must find it. */
  caughtBy: string;
};

export const PLANTED: Planted[] = [
  {
    name: 'the watermark is written without a condition',
    file: 'functions/core/sweep/sweep.store.ts',
    find: "condition: 'attribute_not_exists(PK) OR swept_minute < :to',",
    replace: "condition: 'attribute_not_exists(PK) OR swept_minute <> :to',",
    caughtBy: 'the watermark never moves back',
  },
  {
    name: 'the position of the stream is not compared',
    file: 'functions/core/projection/projection.store.ts',
    find: "unchanged(from === undefined ? undefined : { sequence: from }, ['sequence']),",
    replace: 'undefined,',
    caughtBy: 'the counts of a list are those of its members',
  },
];
