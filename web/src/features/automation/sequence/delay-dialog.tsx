import { useState } from 'react';
import * as z from 'zod/mini';
import { NEGATIVE } from '#shared/schedule.ts';
import type { Sequence } from '#shared/sequence.ts';
import { FieldGrid } from '#web/components/field.tsx';
import { CancelButton, Form, FormActions, SubmitButton } from '#web/components/form.tsx';
import { fieldsOf } from '#web/components/form-fields.tsx';
import { Modal } from '#web/components/modal.tsx';
import { capitalized } from '#web/lib/format.ts';
import { toastUndoable } from '#web/lib/toasts.ts';
import { HoursAndMinutes } from '../hours-and-minutes.tsx';
import { stepText } from '../schedule-texts.ts';
import { type Delay, minutesAfter, type Step, toastFailure, useSteps } from './use-steps.ts';

const { NumberField } = fieldsOf<Delay>();

const MOST_DAYS = 3650;
const WHOLE = 'Value must be a whole number';
const TAKEN = 'Another step goes at this time: choose another one';

// Not that of automations, whose file has the schemas of their whole form.
const Days = z
  .number({ error: WHOLE })
  .check(
    z.refine(Number.isInteger, { error: WHOLE, abort: true }),
    z.gte(0, NEGATIVE),
    z.lte(MOST_DAYS, `Value must be at most ${MOST_DAYS.toLocaleString('en')}`),
  );

const schemaFor = (others: readonly Step[]) =>
  z
    .object({ delay_days: Days, delay_minutes: z.number() })
    .check(
      z.refine(delay => !others.some(other => minutesAfter(other) === minutesAfter(delay)), {
        error: TAKEN,
        path: ['delay_days'],
      }),
    );

type Props = { sequence: Sequence; step: Step | undefined; onClose: () => void };

/** When a step goes. Its place among the others follows from that. Without a step, one is added. */
export default function DelayDialog({ sequence, step, onClose }: Props) {
  const { add, move } = useSteps(sequence);
  const { steps, send_at, metadata_trigger } = sequence;
  // A step that was added though the answer was lost must not move the next try on.
  const [initial] = useState(() =>
    step ? { delay_days: step.delay_days, delay_minutes: step.delay_minutes } : afterThe(steps),
  );
  const others = steps.filter(({ automation_id }) => automation_id !== step?.automation_id);

  async function save(delay: Delay) {
    if (!step) return add(delay);
    const { automation_id: id, delay_days, delay_minutes } = step;
    if (minutesAfter(delay) === minutesAfter(step)) return;
    await move(id, delay);
    toastUndoable({
      message: `${capitalized(stepText(delay, sequence))}: that is when it goes now.`,
      undo: () => void move(id, { delay_days, delay_minutes }).catch(toastFailure),
      about: id,
    });
  }

  return (
    <Modal title={step ? 'Change delay' : 'Add step'} onClose={onClose}>
      <Form
        schema={schemaFor(others)}
        initial={initial}
        save={save}
        onSaved={onClose}
        failure={
          step ? 'Failed to move the step. Please try again.' : 'Failed to add a step. Please try again.'
        }
      >
        <FieldGrid templateColumns="repeat(auto-fill, minmax(min(180px, 100%), 1fr))">
          <NumberField
            name="delay_days"
            label="Days after"
            min={0}
            hint={`Counted from ${metadata_trigger ?? 'when they were added'}.`}
          />
          {send_at === null && <HoursAndMinutes />}
        </FieldGrid>
        <FormActions>
          <CancelButton onClick={onClose} />
          <SubmitButton loadingText={step ? 'Saving...' : 'Adding...'}>
            {step ? 'Save' : 'Add step'}
          </SubmitButton>
        </FormActions>
      </Form>
    </Modal>
  );
}

const DAYS_BETWEEN = 3;

const afterThe = (steps: readonly Step[]): Delay => ({
  delay_days: Math.min((steps.at(-1)?.delay_days ?? -DAYS_BETWEEN) + DAYS_BETWEEN, MOST_DAYS),
  delay_minutes: 0,
});
