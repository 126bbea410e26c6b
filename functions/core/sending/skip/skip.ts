export {
  addSkips,
  purgeSome,
  readSkips,
  type Skip,
  type SkippedSend,
  skipId,
  skippedSendsIn,
  skipsPartition,
} from './skip.store.ts';
