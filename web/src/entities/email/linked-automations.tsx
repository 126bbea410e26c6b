import { Box, Flex, Text } from '@chakra-ui/react';
import { useState } from 'react';
import type { AutomationOption } from '#shared/automation-link.ts';
import { Button } from '#web/components/button.tsx';
import { Loading } from '#web/components/loading.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Section } from '#web/components/section.tsx';
import { TextLink } from '#web/components/text-link.tsx';
import { paths } from '#web/lib/paths.ts';
import type { LinksEditorProps } from './links-editor.tsx';
import { PreviewDialog } from './preview-dialog.tsx';

const LinksEditor = onDemand(() => import('./links-editor.tsx'), <Loading shape={[32, 160, 'button']} />);

type Props = Omit<LinksEditorProps, 'onClose'> & {
  /** Shown if no automation is linked. */
  empty: string;
  canEdit?: boolean;
  editText?: string;
};

/** The automations that use some content, with previews of their emails, and an edit mode with a draft. */
export function LinkedAutomations(props: Props) {
  const { title, automations, empty, canEdit = true, editText = 'Edit' } = props;
  const [isEditing, setEditing] = useState(false);
  const [previewed, setPreviewed] = useState<AutomationOption>();
  return (
    <Section
      title={title}
      actions={canEdit && !isEditing && <Button onClick={() => setEditing(true)}>{editText}</Button>}
    >
      {isEditing ? (
        <LinksEditor {...props} onClose={() => setEditing(false)} />
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
              overflowWrap="anywhere"
            >
              <Box flex="1 1 120px" minWidth="0">
                <TextLink to={paths.automation(automation.id)}>{automation.name}</TextLink>
              </Box>
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
