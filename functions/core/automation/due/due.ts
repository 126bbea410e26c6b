export { nextRead, type Reads, readsIn, type Timed, timedIn } from './reads.ts';
export {
  type Copy,
  copiesOf,
  copyDelays,
  type DueRule,
  daysAfter,
  dueOccurrences,
  type Interval,
  LAST_COPY_DELAY,
  laterOf,
  type Occurrence,
  type Rules,
  rulesFor,
  triggerOf,
} from './rule.ts';
export { type Of, quietOf, type Timing } from './timing.ts';
