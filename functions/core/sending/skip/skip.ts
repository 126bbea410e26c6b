export {
  addSkips,
  purgeSome,
  readSkips,
  type Skip,
  type SkippedSend,
  skippedSendsIn,
  skipsPartition,
} from './skip.store.ts';
