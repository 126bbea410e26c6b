import { Box, chakra, Flex, Input, Skeleton } from '@chakra-ui/react';
import { type ChangeEvent, useRef, useState } from 'react';
import { useController } from 'react-hook-form';
import { useNavigate } from 'react-router';
import type * as z from 'zod/mini';
import type { Audience } from '#shared/audience.ts';
import { type Broadcast, NewBroadcast } from '#shared/broadcast.ts';
import { Field, FieldGrid } from '#web/components/field.tsx';
import { CancelButton, Form, FormActions, SubmitButton } from '#web/components/form.tsx';
import { fieldsOf } from '#web/components/form-fields.tsx';
import { Loading } from '#web/components/loading.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { optionsOf, Select } from '#web/components/select.tsx';
import { HoldoutField, ListPicker } from '#web/entities/automation/mailing-fields.tsx';
import type { Changed, Changes } from '#web/entities/content/content-picker.tsx';
import { useOrganizationChange, useOrganizationData } from '#web/lib/data.ts';
import { newTemplateFor, paths } from '#web/lib/paths.ts';
import { toast } from '#web/lib/toasts.ts';
import { ownZone, zoneLabel } from '#web/lib/zones.ts';
import { useQuestionOfSending } from './use-question-of-sending.ts';

const Conditions = onDemand(
  () => import('#web/entities/audience/conditions.tsx'),
  <Skeleton height="80px" />,
);
const ContentPicker = onDemand(
  async () => ({ default: (await import('#web/entities/content/content-picker.tsx')).ContentPicker }),
  <Loading shape={[340]} />,
);
export const preloadFields = () => Promise.all([Conditions.preload(), ContentPicker.preload()]);

type Values = z.input<typeof NewBroadcast>;

const { TextField } = fieldsOf<Values>();

const BLANK: Values = {
  name: '',
  email_list_ids: [],
  audience: null,
  at: null,
  local_at: null,
  holdout_percent: 0,
  email_template_ids: [],
  email_asset_ids: [],
};

const valuesOf = (broadcast: Broadcast): Values =>
  Object.fromEntries(
    Object.keys(BLANK).map(name => [name, broadcast[name as keyof Broadcast]]),
  ) as unknown as Values;

export default function BroadcastForm({ broadcast }: { broadcast?: Broadcast }) {
  const change = useOrganizationChange();
  const ask = useQuestionOfSending();
  const navigate = useNavigate();
  // The values from when editing began: changes by other users must not overwrite the input.
  const [initial] = useState(() => (broadcast ? valuesOf(broadcast) : BLANK));
  const [lists, setLists] = useState<readonly string[]>(initial.email_list_ids ?? []);
  const [revision] = useState(broadcast?.revision);
  const isWriting = useRef(false);

  async function save(values: NewBroadcast, changed: Partial<NewBroadcast>) {
    if (!broadcast)
      return (await change('POST /api/broadcasts', { body: { ...values, status: 'draft' } })).id;
    const { status: _, ...body } = changed;
    if (Object.keys(body).length === 0) return broadcast.id;
    const isScheduled = broadcast.status === 'scheduled';
    if (isScheduled) await ask(broadcast, values);
    await change('PUT /api/broadcasts/{broadcast}', {
      params: { broadcast: broadcast.id },
      body: { ...body, ...(isScheduled && { revision }) },
    });
    return broadcast.id;
  }

  function leave(id: string) {
    toast(broadcast ? 'Broadcast saved.' : 'Draft saved.', 'success');
    void navigate(isWriting.current ? newTemplateFor(id) : paths.broadcast(id));
  }

  return (
    <Box maxWidth="720px">
      <Form
        isNew={!broadcast}
        schema={NewBroadcast}
        initial={initial}
        save={save}
        onSaved={leave}
        failure="Failed to save broadcast. Please try again."
      >
        <TextField
          name="name"
          label="Name"
          hint="For you and your colleagues. It is also in reports and in the sending log."
        />
        <Box my="2">
          <ListsField onChoose={setLists} />
        </Box>
        <AudienceField lists={lists} />
        <Box mt="4">
          <WhenField />
        </Box>
        <Box mt="4">
          <HoldoutField use="and the sending log says who they are" />
        </Box>
        <EmailField broadcast={broadcast?.id} onWrite={() => (isWriting.current = true)} />
        <FormActions>
          <CancelButton
            variant="ghost"
            onClick={() => void navigate(broadcast ? paths.broadcast(broadcast.id) : paths.broadcasts())}
          />
          <SubmitButton loadingText="Saving..." onClick={() => (isWriting.current = false)}>
            {broadcast ? 'Save' : 'Save draft'}
          </SubmitButton>
        </FormActions>
      </Form>
    </Box>
  );
}

function ListsField({ onChoose }: { onChoose: (lists: readonly string[]) => void }) {
  const { data, error, mutate } = useOrganizationData('GET /api/email-lists');
  const { field, fieldState } = useController<Values, 'email_list_ids'>({ name: 'email_list_ids' });
  const { value = [] } = field;

  function choose(ids: string[]) {
    const known = ids.filter(id => data?.some(list => list.id === id)).toSorted();
    field.onChange(known);
    onChoose(known);
  }

  return (
    <ListPicker
      lists={data}
      verb="chosen"
      ref={field.ref}
      value={value}
      onChange={choose}
      error={fieldState.error?.message}
      problem={error}
      onRetry={mutate}
    />
  );
}

const Group = chakra('fieldset', { base: { minWidth: '0', mt: '4' } });
const Legend = chakra('legend', { base: { mb: '1', fontSize: 'sm', fontWeight: 'medium' } });

function AudienceField({ lists }: { lists: readonly string[] }) {
  const { field, fieldState, formState } = useController<Values, 'audience'>({ name: 'audience' });
  return (
    <Group>
      <Legend>Who gets it</Legend>
      <Conditions
        lists={lists}
        initial={(formState.defaultValues?.audience ?? null) as Audience | null}
        onChange={field.onChange}
        focusRef={field.ref}
        isRefused={fieldState.invalid}
        error={fieldState.error?.message}
      />
    </Group>
  );
}

type Kind = 'now' | 'at' | 'local_at';

const KINDS = optionsOf({
  now: 'Now',
  at: 'At a date and time',
  local_at: 'At a local time of each member',
} satisfies Record<Kind, string>);

/** As the control has it, in the time zone of the browser. */
function localTextOf(instant: string): string {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return '';
  date.setMinutes(date.getMinutes() - date.getTimezoneOffset());
  return date.toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);
}

const instantOf = (text: string) => (text === '' ? '' : new Date(text).toISOString());

/** When it goes: `at` or `local_at` has a time, or neither. An empty time is an error, not "now". */
function WhenField() {
  const at = useController<Values, 'at'>({ name: 'at' });
  const local = useController<Values, 'local_at'>({ name: 'local_at' });
  const [kind, setKind] = useState<Kind>(() =>
    local.field.value != null ? 'local_at' : at.field.value != null ? 'at' : 'now',
  );
  const isLocal = kind === 'local_at';
  const { field, fieldState } = isLocal ? local : at;

  function choose({ target }: ChangeEvent<HTMLSelectElement>) {
    const next = target.value as Kind;
    setKind(next);
    at.field.onChange(next === 'at' ? '' : null);
    local.field.onChange(next === 'local_at' ? '' : null);
  }

  const set = (text: string) => field.onChange(isLocal ? text : instantOf(text));
  const message = fieldState.error && (field.value ? fieldState.error.message : 'Choose a date and a time');
  return (
    <FieldGrid templateColumns={{ base: '1fr', sm: '1fr 1fr' }}>
      <Field label="When" error={kind === 'now' ? message : undefined}>
        <Select value={kind} options={KINDS} onChange={choose} />
      </Field>
      {kind !== 'now' && (
        <Field
          label="Date and time"
          hint={
            isLocal
              ? 'In the time zone of each member. Members without one have that of the organization.'
              : `In your time zone, ${zoneLabel(ownZone())}`
          }
          error={message}
        >
          <Input
            key={kind}
            ref={field.ref}
            type="datetime-local"
            defaultValue={isLocal ? (field.value ?? '') : localTextOf(field.value ?? '')}
            onChange={({ target }) => set(target.value)}
            onBlur={field.onBlur}
          />
        </Field>
      )}
    </FieldGrid>
  );
}

type EmailProps = { broadcast: string | undefined; onWrite: () => void };

/** Chooses what it sends: templates, or assets of each type. A new template is written once the draft is saved. */
function EmailField({ broadcast, onWrite }: EmailProps) {
  const [changes, setChanges] = useState<Changes>(new Map());
  const templates = useController<Values, 'email_template_ids'>({ name: 'email_template_ids' });
  const assets = useController<Values, 'email_asset_ids'>({ name: 'email_asset_ids' });
  const of = { template: templates.field, asset: assets.field };

  function choose(next: Changes, { kind, added, removed }: Changed) {
    const { value = [], onChange } = of[kind];
    const others = value.filter(id => !removed.some(row => row.id === id));
    onChange([...others, ...added.map(({ id }) => id)]);
    setChanges(next);
  }

  const error = [templates, assets].map(({ fieldState }) => fieldState.error?.message).find(Boolean);
  return (
    <Group>
      <Legend>Email</Legend>
      <ContentPicker automation={broadcast} changes={changes} onChange={choose} />
      <Box role="alert" color="fg.error" fontSize="sm">
        {error}
      </Box>
      <Flex mt="2">
        <SubmitButton secondary variant="outline" loadingText="Saving..." onClick={onWrite}>
          {`Save ${broadcast ? '' : 'draft '}and write template`}
        </SubmitButton>
      </Flex>
    </Group>
  );
}
