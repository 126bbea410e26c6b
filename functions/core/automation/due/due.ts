export { nextRead, readsIn, type Timed, timedIn } from './reads.ts';
export {
  copyDelays,
  type DueRule,
  daysAfter,
  dueOccurrences,
  type Interval,
  laterOf,
  nextOccurrence,
  type Occurrence,
  type Rules,
  rulesFor,
  triggerOf,
} from './rule.ts';
export { quietOf } from './timing.ts';
