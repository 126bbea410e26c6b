import { Box, chakra, Flex, Grid, Stack } from '@chakra-ui/react';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { useController, useFormContext, useWatch } from 'react-hook-form';
import { useLocation, useNavigate } from 'react-router';
import type { Automation, AutomationChange, NewAutomation } from '#shared/automation.ts';
import { REQUIRED_PARTS } from '#shared/email/content.ts';
import { OCCURRENCES, type Occurrence, ORDINALS } from '#shared/schedule.ts';
import { ButtonLink } from '#web/components/button.tsx';
import { Checkbox } from '#web/components/checkbox.tsx';
import { CancelButton, Form, FormActions, SubmitButton } from '#web/components/form.tsx';
import { fieldsOf, withUnderscores } from '#web/components/form-fields.tsx';
import { WithHelpTip } from '#web/components/help-tip.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Notice } from '#web/components/notice.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { optionsOf } from '#web/components/select.tsx';
import { audienceFilter } from '#web/entities/audience/audience.tsx';
import { AUTOMATION_TOAST_DURATION } from '#web/entities/automation/automation.tsx';
import { HoldoutField } from '#web/entities/automation/mailing-fields.tsx';
import { NOTHING_TO_SEND, SKIPPED_UNTIL } from '#web/entities/automation/obstacles.ts';
import { useStart } from '#web/entities/automation/use-start.ts';
import type { Changes, ContentRow } from '#web/entities/content/content-picker.tsx';
import { revalidate, useOrganizationChange } from '#web/lib/data.ts';
import { dialogPath, newAssetFor, newAssetSetFor, newTemplateFor, paths } from '#web/lib/paths.ts';
import { isMissing, Problem } from '#web/lib/problem.ts';
import { toast } from '#web/lib/toasts.ts';
import { registerUnsavedCheck } from '#web/lib/unsaved.ts';
import { AudienceField, Conditions, ListsField, StartField } from './audience-fields.tsx';
import { BLANK, type Settings, schemaWith, settingsOfAutomation } from './automation-settings.ts';
import { Group, Legend } from './card.tsx';
import { SENDS_MEAN } from './schedule-texts.ts';

const ScheduleFields = onDemand(
  async () => ({ default: (await import('./schedule-fields.tsx')).ScheduleFields }),
  <Loading shape={['field', 'field', 58]} />,
);
const ContentPicker = onDemand(
  async () => ({ default: (await import('#web/entities/content/content-picker.tsx')).ContentPicker }),
  <Loading shape={[340]} />,
);
export const preloadParts = () =>
  Promise.all([Conditions, StartField, ScheduleFields, ContentPicker].map(part => part.preload()));

const { TextField, CheckboxField, SelectField } = fieldsOf<Settings>();

const ALLOCATION_OPTIONS = optionsOf({ equal: 'Off', clicks: 'By clicks', conversions: 'By conversions' });

type Props = {
  automation?: Automation;
  /** The list that is chosen at first in the form of a new automation. */
  list?: string | null;
  /** Its conditions at first, as JSON. */
  audience?: string | null;
};

type Saved = { id: string; isLinked: boolean; isActivated: boolean; continues: boolean };
/** The path of the form for missing content; once that is created, an automation that is to be active is activated. */
type ContentPath = (automation: string, activates: boolean) => string;

async function succeeds(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch {
    return false;
  }
}

export default function AutomationForm({ automation, list, audience }: Props) {
  const change = useOrganizationChange();
  const navigate = useNavigate();
  const { key } = useLocation();
  // The values from when editing began: changes by other users must not overwrite the input.
  const [initial] = useState(() =>
    automation
      ? settingsOfAutomation(automation)
      : { ...BLANK, email_list_ids: list ? [list] : [], audience: audienceFilter.read(audience ?? '') },
  );
  const [content, setContent] = useState<Changes>(new Map());
  const isSaved = useRef(false);
  useEffect(() => registerUnsavedCheck(() => content.size > 0 && !isSaved.current), [content]);
  const next = useRef<ContentPath>(undefined);
  const [lists, setLists] = useState<readonly string[]>(initial.email_list_ids ?? []);
  const { missing, onlyWhenAdded, props: start } = useStart(lists, initial.starts_at);
  const schema = useMemo(() => schemaWith({ missing }), [missing]);

  async function save(settings: NewAutomation, changed: AutomationChange) {
    const isOn = !automation && settings.active;
    const hasContent = content.size > 0;
    // An active one without content would skip what is due until the content is created.
    const continues = isOn && next.current !== undefined;
    const isOnAtOnce = isOn && !hasContent && !continues;
    try {
      const { id } = automation
        ? await change('PUT /api/automations/{automation}', {
            params: { automation: automation.id },
            body: changed,
          })
        : // With its content, what it sends is known by the time that it is switched on.
          await change('POST /api/automations', { body: { ...settings, active: isOnAtOnce } });
      const isLinked = await linkContent(id);
      const isActivated = !isLinked || !isOn || isOnAtOnce || continues || (await activate(id));
      isSaved.current = true;
      return { id, isLinked, isActivated, continues };
    } catch (problem) {
      if (isMissing(problem)) await revalidate('GET /api/automations/{automation}');
      if (problem instanceof Problem && problem.fields.email_list_ids)
        await revalidate('GET /api/email-lists');
      throw problem;
    }
  }

  /** Links the chosen content. If that fails, the automation is saved, so the form must not be submitted again. */
  const linkContent = (id: string) =>
    succeeds(async () => {
      if (content.size === 0) return;
      const { changeOf } = await import('#web/entities/content/content-picker.tsx');
      const params = { automation: id };
      await change('PUT /api/automations/{automation}/content', { params, body: changeOf(content) });
    });

  const activate = (automation: string) =>
    succeeds(() =>
      change('PUT /api/automations/{automation}', { params: { automation }, body: { active: true } }),
    );

  function leave({ id, isLinked, isActivated, continues }: Saved) {
    const done = automation ? 'Automation saved' : 'Automation created';
    const failed = (what: string) => toast(`${done}, but ${what}.`, 'error', AUTOMATION_TOAST_DURATION);
    if (!isLinked) failed('its content was not linked');
    else if (!isActivated) failed('it is not active');
    else
      toast(
        continues ? `${done}. It is activated with its content.` : `${done}.`,
        'success',
        AUTOMATION_TOAST_DURATION,
      );
    const retry = isLinked ? paths.automation(id) : dialogPath('content', id);
    const isDone = isLinked && isActivated;
    void navigate(isDone ? (next.current?.(id, continues) ?? paths.automations()) : retry);
  }

  function cancel() {
    const isFirstPage = key === 'default';
    void (isFirstPage ? navigate(paths.automations()) : navigate(-1));
  }

  return (
    <Box maxWidth="720px">
      <Form
        isNew={!automation}
        schema={schema}
        initial={initial}
        save={save}
        onSaved={leave}
        failure="Failed to save automation. Please try again."
      >
        <TextField
          name="name"
          label="Name"
          hint="Only letters, numbers, and underscores allowed"
          onInput={withUnderscores}
          autoCapitalize="off"
          spellCheck={false}
        />
        <Box my="4">
          <ListsField onChoose={setLists} />
        </Box>
        <StartField {...start} />
        <ScheduleFields
          onlyWhenAdded={onlyWhenAdded}
          automation={automation?.id}
          hasContent={automation?.email_eligibility.is_eligible || content.size > 0}
        />
        <SendsField />
        <AudienceField lists={lists} />
        <MoreSettings />
        <Box mt="4">
          <CheckboxField name="active" hint="While an automation is inactive, it sends nothing.">
            Active
          </CheckboxField>
        </Box>
        <ContentField
          automation={automation}
          changes={content}
          onChange={setContent}
          onContinue={to => (next.current = to)}
        />
        <FormActions>
          <CancelButton variant="ghost" onClick={cancel} />
          <SubmitButton loadingText="Saving..." onClick={() => (next.current = undefined)}>
            Save Automation
          </SubmitButton>
        </FormActions>
      </Form>
    </Box>
  );
}

const MORE = ['reply_to', 'allocation', 'holdout_percent'] as const;

/** Closed where all is as it is for most automations, and nothing is wrong. */
function MoreSettings() {
  const { getValues, getFieldState, formState } = useFormContext<Settings>();
  const [isOpen, setOpen] = useState(() => MORE.some(name => getValues(name) !== BLANK[name]));
  const isWrong = MORE.some(name => getFieldState(name, formState).invalid);
  return (
    <Box mt="4">
      <details open={isOpen || isWrong} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <chakra.summary fontSize="sm" fontWeight="medium">
          More settings: reply-to address, sending more of what works, a holdout
        </chakra.summary>
        <Stack gap="4" mt="2">
          <TextField
            name="reply_to"
            type="email"
            label="Reply-to address (optional)"
            hint="Answers go there. If it is empty, to the reply-to address of the list, or to its sender."
          />
          <SelectField
            name="allocation"
            label="Send more of what works"
            options={ALLOCATION_OPTIONS}
            hint="From the next day on, content that works better is sent more often. Off sends all of it equally often."
          />
          <HoldoutField />
        </Stack>
      </details>
    </Box>
  );
}

const KINDS = [
  { kind: 'double', other: 'triple', label: 'Double send (2 emails)' },
  { kind: 'triple', other: 'double', label: 'Triple send (3 emails)' },
] as const;

const SendsField = () => (
  <Group mt="4" aria-label="Multiple Sends">
    <Legend>
      <WithHelpTip word="Multiple Sends">{[SENDS_MEAN, 'occurrences']}</WithHelpTip>
    </Legend>
    <Grid templateColumns={{ base: '1fr', sm: '1fr 1fr' }} gap="4">
      {KINDS.map(kind => (
        <Sends key={kind.kind} {...kind} />
      ))}
    </Grid>
    <Box mt="1" color="fg.muted" fontSize="xs">
      The second email is sent 6 hours after the first one, the third 12 hours after it.
    </Box>
  </Group>
);

function Sends({ label, kind, other }: (typeof KINDS)[number]) {
  const errorId = useId();
  const { getFieldState, formState } = useFormContext<Settings>();
  const errors = OCCURRENCES.map(nth => getFieldState(`${kind}_send_${nth}`, formState).error?.message);
  return (
    <Group>
      <Legend fontWeight="normal" color="fg.muted">
        {label}
      </Legend>
      <Flex wrap="wrap" columnGap="5" rowGap="1">
        {OCCURRENCES.map(nth => (
          <Send key={nth} nth={nth} kind={kind} other={other} errorId={errorId} />
        ))}
      </Flex>
      <Box id={errorId} role="alert" color="fg.error" fontSize="sm">
        {errors.find(message => message)}
      </Box>
    </Group>
  );
}

type SendProps = Pick<(typeof KINDS)[number], 'kind' | 'other'> & { nth: Occurrence; errorId: string };

function Send({ nth, kind, other, errorId }: SendProps) {
  const { watch } = useFormContext<Settings>();
  const opposite = `${other}_send_${nth}` as const;
  const { field, fieldState } = useController<Settings>({ name: `${kind}_send_${nth}` });
  const isSet = field.value === true;

  return (
    <Checkbox
      ref={field.ref}
      checked={isSet}
      onChange={field.onChange}
      disabled={watch(opposite) === true && !isSet}
      invalid={fieldState.invalid}
      aria-describedby={fieldState.invalid ? errorId : undefined}
    >
      {ORDINALS[nth]}
    </Checkbox>
  );
}

const TEMPLATE = { noun: 'template', title: 'Email Template', path: newTemplateFor };
const ASSET = { noun: 'asset', title: 'Email Asset', path: (automation: string) => newAssetFor(automation) };
const ASSET_SET = { noun: 'asset set', title: 'asset set', path: newAssetSetFor };

type ContentFieldProps = {
  automation: Automation | undefined;
  changes: Changes;
  onChange: (changes: Changes) => void;
  /** Called with where to go once the new automation is saved. */
  onContinue: (to: ContentPath) => void;
};

/** Chooses what an automation sends. Existing content is linked; missing content is created after the automation. */
function ContentField({ automation, changes, onChange, onContinue }: ContentFieldProps) {
  const { email_eligibility: linked } = automation ?? {};
  const isEligible = linked?.is_eligible ?? false;
  const isOn = useWatch<Settings>({ name: 'active' }) === true;
  const [ticked, setTicked] = useState<ReadonlyMap<string, ContentRow>>(new Map());
  const added = [...ticked].flatMap(([id, row]) => (changes.get(id) && row.isActive ? row : []));
  const isComplete =
    added.some(row => !row.part) ||
    REQUIRED_PARTS.every(part => linked?.[part] || added.some(row => row.part === part));
  return (
    <Group mt="6">
      <Legend>Content</Legend>
      {!isEligible && !isComplete && (
        <Notice tone="info" mb="2">
          {isOn ? `${NOTHING_TO_SEND} ${SKIPPED_UNTIL}` : NOTHING_TO_SEND}
        </Notice>
      )}
      <ContentPicker
        automation={automation?.id}
        changes={changes}
        onChange={(next, { added: rows }) => {
          setTicked(new Map([...ticked, ...rows.map(row => [row.id, row] as const)]));
          onChange(next);
        }}
      />
      <Flex wrap="wrap" gap="2" mt="2">
        {[TEMPLATE, isEligible ? ASSET : ASSET_SET].map(({ noun, title, path }) =>
          automation ? (
            <ButtonLink key={noun} to={path(automation.id, false)}>
              + New {title}
            </ButtonLink>
          ) : (
            <SubmitButton
              key={noun}
              secondary
              variant="outline"
              loadingText="Saving..."
              onClick={() => onContinue(path)}
            >
              Save and create {noun}
            </SubmitButton>
          ),
        )}
      </Flex>
    </Group>
  );
}
