import { Flex, Skeleton, Text } from '@chakra-ui/react';
import { useState } from 'react';
import type { AutomationOption } from '../../../../shared/automation-link.ts';
import { Button } from '../../components/button.tsx';
import { onDemand } from '../../components/on-demand.tsx';
import { Section } from '../../components/section.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { paths } from '../../lib/paths.ts';
import type { LinksEditorProps } from './links-editor.tsx';
import { PreviewDialog } from './preview-dialog.tsx';

const LinksEditor = onDemand(() => import('./links-editor.tsx'), <Spinner />);

type Props = Omit<LinksEditorProps, 'automations' | 'onClose'> & {
  /** Undefined while they are loading. */
  automations: readonly AutomationOption[] | undefined;
  /** Shown where none is linked. */
  empty: string;
  canEdit?: boolean;
  editText?: string;
};

/** The automations that use some content, each with a preview of its emails, and an edit mode with a draft. */
export function LinkedAutomations(props: Props) {
  const { title, automations, empty, canEdit = true, editText = 'Edit' } = props;
  const [isEditing, setEditing] = useState(false);
  const [previewed, setPreviewed] = useState<AutomationOption>();
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
        <LinksEditor {...props} automations={automations} onClose={() => setEditing(false)} />
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
              width="full"
              minWidth="0"
              overflowWrap="anywhere"
            >
              <TextLink to={paths.automation(automation.id)}>{automation.name}</TextLink>
              <Button
                aria-label={`Generate Email Preview for ${automation.name}`}
                onClick={() => setPreviewed(automation)}
              >
                Generate Email Preview
              </Button>
            </Flex>
          ))}
        </Flex>
      )}
      {previewed && <PreviewDialog automation={previewed} onClose={() => setPreviewed(undefined)} />}
    </Section>
  );
}
