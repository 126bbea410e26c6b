import { Flex, Skeleton, Text } from '@chakra-ui/react';
import { type ReactNode, useEffect, useState } from 'react';
import { type AutomationOption, MOST_LINKED } from '../../../../shared/automation.ts';
import { useOrganizationData } from '../../lib/data.ts';
import { paths } from '../../lib/paths.ts';
import { serverMessageOr } from '../../lib/problem.ts';
import { registerUnsavedCheck } from '../../lib/unsaved.ts';
import { Button } from '../button.tsx';
import { FormActions } from '../form.tsx';
import { ActionError } from '../notice.tsx';
import { Section } from '../section.tsx';
import { TextLink } from '../text-link.tsx';
import { AutomationPicker } from './automation-picker.tsx';

type Props = {
  title: string;
  /** Undefined while they are loading. */
  automations: readonly AutomationOption[] | undefined;
  /** Where the automations come from that can be chosen. */
  route: 'GET /api/automations-for-assets' | 'GET /api/automations-for-templates';
  /** Shown where none is linked. */
  empty: string;
  canEdit?: boolean;
  editText?: string;
  saveText?: string;
  save: (ids: string[]) => Promise<unknown>;
  /** The message of a failed save for which the server gave no reason. */
  failure: string;
  /** What can be done with one of them. */
  actionOf?: (automation: AutomationOption) => ReactNode;
};

/** The automations that use some content: links, and an edit mode with a draft. */
export function LinkedAutomations(props: Props) {
  const { title, automations, empty, canEdit = true, editText = 'Edit', actionOf } = props;
  const [isEditing, setEditing] = useState(false);
  return (
    <Section
      title={title}
      actions={
        canEdit &&
        !isEditing && (
          <Button disabled={!automations} onClick={() => setEditing(true)}>
            {editText}
          </Button>
        )
      }
    >
      {isEditing && automations ? (
        <Editor {...props} automations={automations} onClose={() => setEditing(false)} />
      ) : !automations ? (
        <Skeleton />
      ) : automations.length === 0 ? (
        <Text color="fg.muted" fontSize="sm">
          {empty}
        </Text>
      ) : (
        <Flex as="ul" wrap="wrap" columnGap="4" rowGap="1" maxHeight="320px" overflowY="auto" fontSize="sm">
          {automations.map(automation => (
            <Flex
              as="li"
              key={automation.id}
              wrap="wrap"
              align="center"
              justify="space-between"
              columnGap="3"
              width={actionOf ? 'full' : undefined}
              minWidth="0"
              overflowWrap="anywhere"
            >
              <TextLink to={paths.automation(automation.id)}>{automation.name}</TextLink>
              {actionOf?.(automation)}
            </Flex>
          ))}
        </Flex>
      )}
    </Section>
  );
}

type EditorProps = Props & { automations: readonly AutomationOption[]; onClose: () => void };

function Editor({ title, automations, route, save, saveText = 'Save', failure, onClose }: EditorProps) {
  const { data: options, error: problem, mutate } = useOrganizationData(route);
  const linked = automations.map(({ id }) => id);
  const [draft, setDraft] = useState(linked);
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<string>();
  const isChanged = draft.length !== linked.length || draft.some(id => !linked.includes(id));
  useEffect(() => registerUnsavedCheck(() => isChanged), [isChanged]);

  async function submit() {
    setSaving(true);
    setError(undefined);
    try {
      await save(draft);
      onClose();
    } catch (refusal) {
      setError(serverMessageOr(refusal, failure));
      setSaving(false);
    }
  }

  return (
    <>
      <AutomationPicker
        label={title}
        options={options}
        value={draft}
        onChange={setDraft}
        disabled={isSaving}
        problem={problem}
        onRetry={mutate}
      />
      <FormActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          variant="solid"
          loading={isSaving}
          loadingText="Saving..."
          disabled={!options || draft.length > MOST_LINKED}
          onClick={() => void submit()}
        >
          {saveText}
        </Button>
      </FormActions>
      <ActionError>{error}</ActionError>
    </>
  );
}
