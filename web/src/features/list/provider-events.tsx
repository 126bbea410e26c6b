import { Box, chakra, Flex, Skeleton } from '@chakra-ui/react';
import { PRODUCT } from '#shared/brand.ts';
import type { EmailList } from '#shared/list.ts';
import { providersOf } from '#shared/providers.ts';
import { TextLink } from '#web/components/button.tsx';
import { CopiedText } from '#web/components/copied-text.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Status } from '#web/components/status.tsx';
import { useMay } from '#web/lib/organization.ts';
import { paths } from '#web/lib/paths.ts';

const Steps = chakra('ol', { base: { mt: '2', ps: '5', listStyle: 'decimal', '& li': { mt: '1' } } });

export default function ProviderEvents({ list }: { list: EmailList | undefined }) {
  if (list && !providersOf(list).includes('mailgun')) {
    return (
      <Panel p="4" color="fg.muted">
        This list does not send by Mailgun. Amazon SES reports bounces and complaints by itself: there is
        nothing to set up.
      </Panel>
    );
  }
  const isSet = list && list.mailgun_webhook_signing_key !== null;
  return (
    <Panel p="4">
      <Flex wrap="wrap" align="flex-start" justify="space-between" columnGap="4" rowGap="1" mb="3">
        <Box flex="1 1 320px" maxWidth="80ch" color="fg.muted">
          Mailgun reports bounces and complaints to this address, so that nobody is mailed in vain or against
          their will. Opens, clicks and unsubscribe links work without it.
        </Box>
        {list ? (
          <Status tone={isSet ? 'usual' : 'attention'}>
            {isSet ? 'Signing key set' : 'Signing key not set'}
          </Status>
        ) : (
          <Skeleton />
        )}
      </Flex>
      <Box mb="2">
        {/* It takes two lines on a phone, also while it is loading. */}
        <CopiedText
          text={list?.provider_events_url}
          label="Copy address"
          minHeight={{ base: '50px', md: 'control' }}
        />
      </Box>
      <details>
        <summary>How to set it up</summary>
        <Box maxWidth="80ch">
          <Steps>
            <li>
              In Mailgun, open <b>Sending</b>, <b>Webhooks</b>, choose the domain <b>{list?.domain}</b>, and
              press <b>Add webhook</b>.
            </li>
            <li>
              Paste the address above, and choose the events <b>Permanent failure</b>, <b>Spam complaints</b>{' '}
              and <b>Unsubscribes</b>. Add <b>Delivered</b> only if emails of this list are often shown as
              unknown: it is a report for each email.
            </li>
            <li>
              Copy the <b>HTTP webhook signing key</b> of your Mailgun account. <SigningKey list={list} />
            </li>
          </Steps>
          <Box mt="3" color="fg.muted">
            With the signing key, {PRODUCT} knows that a report is from your account: it stops mailing who
            complained and whose address failed for good or five times in a row. Without it, reports of your
            account are refused.
          </Box>
        </Box>
      </details>
    </Panel>
  );
}

function SigningKey({ list }: { list: EmailList | undefined }) {
  const may = useMay();
  if (!list || !may('sending-key:edit')) return <>An admin or owner enters it here.</>;
  return (
    <>
      Enter it as the <TextLink to={paths.editList(list.id)}>webhook signing key</TextLink> of this list.
    </>
  );
}
