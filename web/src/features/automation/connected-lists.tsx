import { Box, Flex, Text } from '@chakra-ui/react';
import type { Automation } from '#shared/automation.ts';
import { TextLink } from '#web/components/button.tsx';
import { countText } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { Card } from './card.tsx';

/** The lists to whose members an automation sends. */
export const ConnectedLists = ({ email_lists }: Pick<Automation, 'email_lists'>) => (
  <Card
    title="Connected Email Lists"
    isPart
    actions={
      <Text as="span" color="fg.muted">
        {countText(email_lists.length, 'list')}
      </Text>
    }
  >
    {email_lists.length === 0 ? (
      <Text color="fg.muted">No email lists connected to this automation.</Text>
    ) : (
      // Focusable, so that the keyboard can scroll it.
      <Box
        role="region"
        aria-label="Connected lists"
        tabIndex={0}
        maxHeight="290px"
        mx="-4"
        px="4"
        overflowY="auto"
        _focusVisible={{ outlineOffset: '-2px' }}
      >
        <ul>
          {email_lists.map(({ id, name, domain }) => (
            <Flex as="li" key={id} justify="space-between" gap="3" py="1.5" lineHeight="20px">
              <Box minWidth="0" overflowWrap="anywhere">
                <Box as="span" fontWeight="medium">
                  {name}
                </Box>{' '}
                <Box as="span" color="fg.muted">
                  {domain}
                </Box>
              </Box>
              <TextLink to={paths.list(id)} aria-label={`View ${name}`}>
                View
              </TextLink>
            </Flex>
          ))}
        </ul>
      </Box>
    )}
  </Card>
);
