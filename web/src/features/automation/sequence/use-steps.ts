import type { Sequence, StepInput } from '#shared/sequence.ts';
import { MINUTES_OF_DAY } from '#shared/time.ts';
import { SEQUENCE } from '#web/entities/automation/sequence.tsx';
import { useEntityChange } from '#web/entities/use-entity.ts';
import { Cancelled } from '#web/lib/confirmation.ts';
import { revalidate, useOrganizationCall } from '#web/lib/data.ts';
import { messageOf, Problem } from '#web/lib/problem.ts';
import { toast } from '#web/lib/toasts.ts';

export type Step = Sequence['steps'][number];
export type Delay = { delay_days: number; delay_minutes: number };

const CONFLICT = 409;
const GONE = 'Somebody else has removed this step meanwhile. The steps that are left are shown now.';

export const minutesAfter = ({ delay_days, delay_minutes }: Delay) =>
  delay_days * MINUTES_OF_DAY + delay_minutes;

/** Shows why a change outside of a form has failed. A declined question is no failure. */
export function toastFailure(problem: unknown) {
  if (!(problem instanceof Cancelled)) toast(messageOf(problem), 'error');
}

/**
 * Changes the steps as they are stored now, so that what others have added meanwhile stays; what they add while it is saved is
 * a conflict. They are ordered by their delay.
 */
export function useSteps({ id }: Pick<Sequence, 'id'>) {
  const call = useOrganizationCall();
  const save = useEntityChange(SEQUENCE, id);

  async function change(edit: (steps: (Delay & StepInput)[]) => (Delay & StepInput)[]): Promise<void> {
    const { steps, revision } = await call(SEQUENCE.one, { params: SEQUENCE.paramsOf(id) });
    const kept = steps.map(({ automation_id, delay_days, delay_minutes }) => ({
      automation_id,
      delay_days,
      delay_minutes,
    }));
    const changed = edit(kept).toSorted((a, b) => minutesAfter(a) - minutesAfter(b));
    try {
      await save(SEQUENCE.put, { steps: changed, revision }, sequence => sequence);
    } catch (problem) {
      // Others may have changed them; or they are saved, and the answer was lost.
      if (!(problem instanceof Cancelled)) void revalidate(SEQUENCE.one);
      throw problem;
    }
  }

  return {
    add: (step: Delay & StepInput) => change(steps => [...steps, step]),
    remove: (step: string) => change(steps => steps.filter(({ automation_id }) => automation_id !== step)),
    move: (step: string, delay: Delay) =>
      change(steps => {
        if (!steps.some(({ automation_id }) => automation_id === step)) {
          void revalidate(SEQUENCE.one);
          throw new Problem(GONE, CONFLICT, {}, true);
        }
        return steps.map(one => (one.automation_id === step ? { ...one, ...delay } : one));
      }),
  };
}
