export {
  combinationIn,
  isMarkedKey,
  LISTED_MARKS,
  type ListedMark,
  type MarkedEmail,
  markedIn,
  markedKey,
  markedPartition,
  purgeSome,
  readMonth,
} from './marked.store.ts';
