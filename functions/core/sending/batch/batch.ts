export {
  begin,
  type Ending,
  end,
  type Head,
  markSettled,
  markUnknown,
  packed,
  purgeSome,
  readHead,
  readHeads,
  readManifest,
  readTheseHeads,
  type Send,
  type State,
  unpacked,
  writeSkips,
} from './batch.store.ts';
export { firstAndLast, type LogEntry, newestFirst, oldestFirst } from './log.store.ts';
export { type Outcome, outcomesOf } from './outcome.ts';
export { settle, settleKept } from './settle.ts';
