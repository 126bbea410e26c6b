export {
  addSkips,
  purgeSome,
  readSkips,
  readSkipsOf,
  type Skip,
  type SkippedSend,
  skipId,
  skippedSendsIn,
  skipsPartition,
} from './skip.store.ts';
