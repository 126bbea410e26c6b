import { Grid, Skeleton, Text } from '@chakra-ui/react';
import type { EmailList } from '#shared/list.ts';
import { TextLink } from '#web/components/button.tsx';
import { Notice } from '#web/components/notice.tsx';
import { Panel } from '#web/components/panel.tsx';
import { useMay } from '#web/lib/organization.ts';
import { newAutomationFor, paths } from '#web/lib/paths.ts';
import { nextStepOf } from './next-step.ts';

/** Shows what is missing before emails can be sent to a list, with a link to fix it. */
export function NextStepNotice({ list }: { list: EmailList | undefined }) {
  return (
    // While loading, it has the height of most messages, which take two lines on a phone.
    <Grid mb="4" minHeight={{ base: '58px', md: '38px' }} css={{ '&& > *': { alignItems: 'center' } }}>
      {list ? (
        <Step list={list} />
      ) : (
        <Panel display="flex" alignItems="center" px="3">
          <Skeleton width="240px" />
        </Panel>
      )}
    </Grid>
  );
}

function Step({ list }: { list: EmailList }) {
  const may = useMay();
  const step = nextStepOf(list);
  if (!step) {
    return list.active ? (
      <Text color="fg.muted" fontSize="sm" role="status">
        This list is ready to send. An automation says what its members get, and when:{' '}
        <TextLink to={newAutomationFor(list.id)}>create an automation</TextLink> or{' '}
        <TextLink to={paths.automations()}>see those that are there</TextLink>.
      </Text>
    ) : (
      <Notice tone="info">This list is ready, but inactive: nothing is sent to it.</Notice>
    );
  }
  const mayFix = may(step.action);
  return (
    <Notice tone={step.tone} action={mayFix && <TextLink to={step.to}>{step.fix}</TextLink>}>
      {step.message}
      {!mayFix && ' Please contact an admin or owner.'}
    </Notice>
  );
}
