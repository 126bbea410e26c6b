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
export { type LogEntry, newestFirst } from './log.store.ts';
