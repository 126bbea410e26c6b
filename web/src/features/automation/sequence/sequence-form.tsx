import { Box } from '@chakra-ui/react';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { ANY_TIME } from '#shared/schedule.ts';
import { NewSequence, type Sequence, type SequenceChange } from '#shared/sequence.ts';
import { GhostLink } from '#web/components/button.tsx';
import { Form, FormActions, SubmitButton } from '#web/components/form.tsx';
import { fieldsOf } from '#web/components/form-fields.tsx';
import { Notice } from '#web/components/notice.tsx';
import { AUTOMATION_TOAST_DURATION } from '#web/entities/automation/automation.tsx';
import { HoldoutField } from '#web/entities/automation/mailing-fields.tsx';
import { useStart } from '#web/entities/automation/use-start.ts';
import { revalidate, useOrganizationChange } from '#web/lib/data.ts';
import { paths } from '#web/lib/paths.ts';
import { isMissing, Problem } from '#web/lib/problem.ts';
import { toast } from '#web/lib/toasts.ts';
import { AudienceField, Conditions, ListsField, StartField } from '../audience-fields.tsx';
import { startFields, withoutTrigger } from '../automation-settings.ts';
import { SendTimesFields } from '../send-times-fields.tsx';

export const preloadSequenceFields = () => Promise.all([Conditions.preload(), StartField.preload()]);

/** What most welcome courses have. They are moved, added and removed on the page of the sequence. */
const FIRST_STEPS = [0, 3, 7].map(delay_days => ({ delay_days }));
const WHEN_ADDED = { starts_at: 'added' as const, metadata_trigger: '' };
const CREATED = 201;

/** The fields have the names that they have in the form of an automation. */
const settingsWith = (missing?: string) =>
  z.pipe(
    z.extend(
      z.pick(NewSequence, {
        name: true,
        email_list_ids: true,
        audience: true,
        send_at: true,
        time_zone_of: true,
        days_off: true,
        holdout_percent: true,
      }),
      startFields(missing),
    ),
    z.transform(withoutTrigger),
  );
type Settings = z.input<ReturnType<typeof settingsWith>>;

const { TextField } = fieldsOf<Settings>();

const settingsOf = (sequence: Sequence): Settings => ({
  name: sequence.name,
  email_list_ids: sequence.email_lists.map(({ id }) => id).sort(),
  starts_at: sequence.starts_at,
  metadata_trigger: sequence.metadata_trigger ?? '',
  audience: sequence.audience,
  send_at: sequence.send_at,
  time_zone_of: sequence.time_zone_of,
  days_off: sequence.days_off,
  holdout_percent: sequence.holdout_percent,
});

type Props = { sequence?: Sequence; lists: string[] };

/** What all steps of a sequence have in common. */
export default function SequenceForm({ sequence, lists: chosen }: Props) {
  const change = useOrganizationChange();
  const navigate = useNavigate();
  // The values from when editing began: changes by other users must not overwrite the input.
  const [initial] = useState(() => ({
    dates_off: ANY_TIME.dates_off,
    ...(sequence
      ? settingsOf(sequence)
      : { ...ANY_TIME, name: '', email_list_ids: chosen, ...WHEN_ADDED, audience: null, holdout_percent: 0 }),
  }));
  const [lists, setLists] = useState<readonly string[]>(chosen);
  const { missing, props: start } = useStart(lists, initial.starts_at);
  const schema = useMemo(() => settingsWith(missing), [missing]);

  async function save(settings: z.output<ReturnType<typeof settingsWith>>, changed: SequenceChange) {
    try {
      return sequence
        ? await change('PUT /api/sequences/{sequence}', { params: { sequence: sequence.id }, body: changed })
        : await change('POST /api/sequences', {
            body: { ...settings, steps: FIRST_STEPS },
            expectedStatus: CREATED,
          });
    } catch (problem) {
      if (isMissing(problem)) await revalidate('GET /api/sequences/{sequence}');
      if (problem instanceof Problem && problem.fields.email_list_ids)
        await revalidate('GET /api/email-lists');
      throw problem;
    }
  }

  function leave({ id }: Sequence) {
    toast(
      sequence ? 'Sequence saved.' : 'Sequence created: now write its emails.',
      'success',
      AUTOMATION_TOAST_DURATION,
    );
    void navigate(paths.sequence(id), { replace: true });
  }

  return (
    <Box maxWidth="720px">
      <Form
        isNew={!sequence}
        schema={schema}
        initial={initial}
        save={save}
        onSaved={leave}
        failure="Failed to save sequence. Please try again."
      >
        <TextField name="name" label="Name" />
        <Box my="2">
          <ListsField onChoose={setLists} />
        </Box>
        <StartField {...start} />
        <SendTimesFields datesToo={false} />
        <AudienceField lists={lists} />
        <Box mt="4">
          <HoldoutField />
        </Box>
        {!sequence && (
          <Notice tone="info" mt="4">
            It begins with three steps: at once, after 3 days and after 7 days. On its page you write their
            emails, and move, add and remove steps. Nothing is sent until you activate it.
          </Notice>
        )}
        <FormActions>
          <GhostLink to={sequence ? paths.sequence(sequence.id) : paths.automations()}>Cancel</GhostLink>
          <SubmitButton loadingText={sequence ? 'Saving...' : 'Creating...'}>
            {sequence ? 'Save sequence' : 'Create sequence'}
          </SubmitButton>
        </FormActions>
      </Form>
    </Box>
  );
}
