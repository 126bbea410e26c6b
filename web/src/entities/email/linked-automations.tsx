import { Flex, Text } from '@chakra-ui/react';
import { type ReactNode, useState } from 'react';
import type { AutomationOption } from '../../../../shared/automation-link.ts';
import { Button } from '../../components/button.tsx';
import { Loading } from '../../components/loading.tsx';
import { onDemand } from '../../components/on-demand.tsx';
import { Section } from '../../components/section.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { paths } from '../../lib/paths.ts';
import type { LinksEditorProps } from './links-editor.tsx';

const LinksEditor = onDemand(() => import('./links-editor.tsx'), <Loading shape={[32, 160, 'button']} />);

type Props = Omit<LinksEditorProps, 'onClose'> & {
  /** Shown where none is linked. */
  empty: string;
  canEdit?: boolean;
  editText?: string;
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
