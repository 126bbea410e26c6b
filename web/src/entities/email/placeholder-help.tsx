import { Box, chakra, Flex } from '@chakra-ui/react';
import { OWN_NAMES } from '#shared/email/placeholder.ts';
import { CopyButton } from '#web/components/copy-button.tsx';
import { Panel } from '#web/components/panel.tsx';

const Summary = chakra('summary', {
  base: { px: '4', py: '2.5', lineHeight: '20px', fontWeight: 'medium', cursor: 'pointer' },
});
const Name = chakra('code', { base: { fontFamily: 'mono', fontSize: 'xs', overflowWrap: 'anywhere' } });

type Props = {
  /** The known metadata columns of members. */
  columns?: readonly string[];
};

/** A list of the placeholders that can be used in content. */
export const PlaceholderHelp = ({ columns = [] }: Props) => (
  <Panel as="details" mt="2" mb="4">
    <Summary>Placeholders</Summary>
    <Box px="4" pb="3">
      <Box as="p" mb="2" color="fg.muted">
        Each is replaced by what is known of the recipient. Any metadata of a member can be used; what comes
        after the bar is written where a member has none. Links are written as in markdown:{' '}
        <Name>[Our shop](https://example.com)</Name>.
      </Box>
      <Flex as="ul" direction="column" aria-label="Placeholders">
        <Placeholder
          text="{{field | 'Default'}}"
          about="The member’s metadata of this name, else the default"
        />
        {columns.map(name => (
          <Placeholder key={name} text={`{{${name}}}`} about="Metadata of members" />
        ))}
        {Object.entries(OWN_NAMES).map(([name, about]) => (
          <Placeholder key={name} text={`{{${name}}}`} about={about} />
        ))}
      </Flex>
    </Box>
  </Panel>
);

const Placeholder = ({ text, about }: { text: string; about: string }) => (
  <Flex as="li" align="center" justify="space-between" gap="3" py="1">
    <Box minWidth="0" overflowWrap="anywhere">
      <Name>{text}</Name>
      <Box color="fg.muted" fontSize="xs">
        {about}
      </Box>
    </Box>
    <CopyButton text={text} variant="ghost" aria-label={`Copy ${text}`} />
  </Flex>
);
