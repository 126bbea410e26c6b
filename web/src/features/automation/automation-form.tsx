import { Box } from '@chakra-ui/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Automation, AutomationChange, NewAutomation } from '#shared/automation.ts';
import { CancelButton, Form, FormActions, SubmitButton } from '#web/components/form.tsx';
import { fieldsOf } from '#web/components/form-fields.tsx';
import { AUTOMATION_TOAST_DURATION } from '#web/entities/automation/automation.ts';
import { revalidate, useOrganizationChange } from '#web/lib/data.ts';
import { dialogPath, paths } from '#web/lib/paths.ts';
import { isMissing, Problem } from '#web/lib/problem.ts';
import { toast } from '#web/lib/toasts.ts';
import { registerUnsavedCheck } from '#web/lib/unsaved.ts';
import { BLANK, type Settings, schemaWith, settingsOfAutomation } from './automation-settings.ts';
import { ContentField } from './content-field.tsx';
import { type Changes, changeOf } from './content-picker.tsx';
import { ListsField } from './lists-field.tsx';
import { ScheduleFields } from './schedule-fields.tsx';
import { SendsField } from './sends-field.tsx';
import { TriggerField } from './trigger-field.tsx';
import { useTriggerColumns } from './use-trigger-columns.ts';

const { TextField, CheckboxField } = fieldsOf<Settings>();

type Props = {
  automation?: Automation;
  /** The list that is chosen at first in the form of a new automation. */
  list?: string | null;
};

/** The form of a new automation or of an existing one. */
export default function AutomationForm({ automation, list }: Props) {
  const change = useOrganizationChange();
  const navigate = useNavigate();
  const { key } = useLocation();
  // The values from when editing began: changes by other users must not overwrite the input.
  const [initial] = useState(() =>
    automation ? settingsOfAutomation(automation) : { ...BLANK, email_list_ids: list ? [list] : [] },
  );
  const [content, setContent] = useState<Changes>(new Map());
  const isSaved = useRef(false);
  useEffect(() => registerUnsavedCheck(() => content.size > 0 && !isSaved.current), [content]);
  const next = useRef<(automation: string) => string>(undefined);
  const [lists, setLists] = useState<readonly string[]>(initial.email_list_ids ?? []);
  const { data: columns, error, mutate } = useTriggerColumns(lists);
  const onlyWhenAdded = lists.length > 0 && columns?.length === 0;
  const mustChoose = lists.length > 0 && !onlyWhenAdded;
  const schema = useMemo(() => schemaWith({ mustChoose }), [mustChoose]);

  async function save(settings: NewAutomation, changed: AutomationChange) {
    try {
      const { id } = await send(settings, changed);
      const retry = await linkContent(id);
      isSaved.current = true;
      return { id, retry };
    } catch (problem) {
      if (isMissing(problem)) await revalidate('GET /api/automations/{automation}');
      if (problem instanceof Problem && problem.fields.email_list_ids)
        await revalidate('GET /api/email-lists');
      throw problem;
    }
  }

  const send = (settings: NewAutomation, changed: AutomationChange) =>
    automation
      ? change('PUT /api/automations/{automation}', {
          params: { automation: automation.id },
          body: changed,
        })
      : change('POST /api/automations', { body: settings });

  /** Links the chosen content. Returns the path where the user can retry what failed; undefined if all of it is linked. */
  async function linkContent(id: string): Promise<string | undefined> {
    if (content.size === 0) return undefined;
    try {
      const params = { automation: id };
      await change('PUT /api/automations/{automation}/content', { params, body: changeOf(content) });
      return undefined;
    } catch {
      // The automation is saved, so the form must not be submitted again.
      return dialogPath('content', id);
    }
  }

  function leave({ id, retry }: { id: string; retry: string | undefined }) {
    const done = automation ? 'Automation saved' : 'Automation created';
    if (retry) toast(`${done}, but its content was not linked.`, 'error', AUTOMATION_TOAST_DURATION);
    else toast(`${done}.`, 'success', AUTOMATION_TOAST_DURATION);
    void navigate(retry ?? next.current?.(id) ?? paths.automations());
  }

  const isFirstPage = key === 'default';
  const cancel = () => void (isFirstPage ? navigate(paths.automations()) : navigate(-1));

  return (
    <Box maxWidth="720px">
      <Form
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
          autoCapitalize="off"
          spellCheck={false}
        />
        <Box my="2">
          <ListsField onChoose={setLists} />
        </Box>
        <TriggerField
          lists={lists.length}
          onlyWhenAdded={onlyWhenAdded}
          columns={columns}
          problem={error}
          onRetry={() => void mutate()}
        />
        <ScheduleFields onlyWhenAdded={onlyWhenAdded} />
        <SendsField />
        <Box mt="4">
          <CheckboxField name="active" hint="While an automation is inactive, it sends nothing.">
            Active
          </CheckboxField>
        </Box>
        <ContentField
          automation={automation}
          changes={content}
          onChange={setContent}
          onContinue={to => {
            next.current = to;
          }}
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
