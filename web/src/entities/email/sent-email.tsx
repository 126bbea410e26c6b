import { Box, Text } from '@chakra-ui/react';
import type { EmailSendContent } from '#shared/send.ts';
import { Fact, Facts } from '#web/components/facts.tsx';
import { formatUtc } from '#web/lib/format.ts';
import { EmailViews } from './email-views.tsx';

/** A sent email: as it was sent, or as it would be rendered now. */
export function SentEmail({ content: { sender, html, plaintext, is_exact } }: { content: EmailSendContent }) {
  const { trigger_metadata } = sender;
  return (
    <>
      <Box mb="4">
        <Facts aria-label="Email">
          <Fact name="From">
            {sender.name}{' '}
            <Box as="span" color="fg.muted" fontWeight="normal">
              {`<${sender.email}>`}
            </Box>
          </Fact>
          <Fact name="Subject">
            <span dir="auto">{sender.subject}</span>
          </Fact>
          <Fact name="List">{sender.list_name}</Fact>
          <Fact name="Automation">{sender.automation_name}</Fact>
          {trigger_metadata && <Fact name="Trigger">{formatUtc(new Date(trigger_metadata))}</Fact>}
        </Facts>
      </Box>
      <Text mb="4" color="fg.muted" fontSize="sm">
        {is_exact
          ? 'This is the email as it was sent.'
          : 'This preview is built on demand from current assets. It may differ from what was sent.'}
      </Text>
      <EmailViews html={html} text={plaintext} />
    </>
  );
}
