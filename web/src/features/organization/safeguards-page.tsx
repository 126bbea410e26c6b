import { Box, Grid, Text } from '@chakra-ui/react';
import type { ComponentType, ReactNode } from 'react';
import type { SWRResponse } from 'swr';
import { Failure } from '#web/components/failure.tsx';
import { Loading } from '#web/components/loading.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Page } from '#web/components/page.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Section } from '#web/components/section.tsx';
import { useOrganizationData } from '#web/lib/data.ts';
import { useMay } from '#web/lib/organization.ts';

const SafeguardsForm = onDemand(
  async () => ({ default: (await import('./safeguards-forms.tsx')).SafeguardsForm }),
  <Loading
    minHeight={{ base: '889px', sm: '558px' }}
    shape={['line', 'line', 'field', 'field', 'field', 'button']}
  />,
);
const SendingHoursForm = onDemand(
  async () => ({ default: (await import('./safeguards-forms.tsx')).SendingHoursForm }),
  <Loading minHeight="250px" shape={['field', 'line', 'line', 'button', 'button']} />,
);

const HoldoutForm = onDemand(
  async () => ({ default: (await import('./safeguards-forms.tsx')).HoldoutForm }),
  <Loading minHeight="125px" shape={['field', 'button']} />,
);

const Lift = onDemand(() => import('#web/entities/automation/lift.tsx'), <Loading shape={[160]} />);

const HeldBack = onDemand(
  () => import('./held-back.tsx'),
  <Loading minHeight="240px" shape={['line', 'line', 'line', 'field']} />,
);

export function SafeguardsPage() {
  const mayEdit = useMay()('safeguards:edit');
  const limits = useOrganizationData('GET /api/safeguards');
  const hours = useOrganizationData('GET /api/sending-hours');
  const holdout = useOrganizationData('GET /api/holdout');
  return (
    <Page
      title="Email Sending Safeguards"
      explained={['Limits on how many emails one person gets, from all automations.', 'safeguards']}
    >
      {!mayEdit && (
        <Text mb="4" color="fg.muted">
          Only the owner and the admins of the organization can change these settings.
        </Text>
      )}
      <Grid
        templateColumns={{ base: 'minmax(0, 520px)', xl: 'repeat(2, minmax(0, 520px))' }}
        gap="8"
        alignItems="start"
      >
        <div>
          <Section
            title="Limits"
            note="Limits prevent email fatigue. Once a recipient reaches a limit, new automated emails to them are skipped until they are below it again."
          >
            <Settings of={limits} form={SafeguardsForm} failure="Failed to load safeguard settings" />
          </Section>
          <Section
            title="What your limits hold back"
            note="In the last 30 days, and what these emails would probably have brought, if they had done as well as those that were sent of the same automations."
          >
            <Panel p="4">{limits.data ? <HeldBack limits={limits.data} /> : HeldBack.fallback}</Panel>
          </Section>
        </div>
        <div>
          <Section
            title="Quiet hours and time zone"
            note="In quiet hours no automation sends. What falls due waits until they end, when it is decided anew whether it goes."
          >
            <Settings of={hours} form={SendingHoursForm} failure="Failed to load quiet hours" />
          </Section>
          <Section
            title="Holdout"
            note="A share of people, always the same ones, gets no emails at all, so that you see what your emails do. With a lower percent, some of them get what is due from then on."
          >
            <Settings of={holdout} form={HoldoutForm} failure="Failed to load the holdout" />
            {holdout.data && holdout.data.percent > 0 && (
              <Box mt="4">
                <Lift />
              </Box>
            )}
          </Section>
        </div>
      </Grid>
    </Page>
  );
}

type FormProps<Values> = { settings: Values; onSaved: (saved: Values) => void };
type Props<Values> = {
  of: Pick<SWRResponse<Values>, 'data' | 'error' | 'mutate'>;
  form: ComponentType<FormProps<Values>> & { fallback?: ReactNode };
  failure: string;
};

function Settings<Values>({ of: { data, error, mutate }, form: Form, failure }: Props<Values>) {
  if (error && !data) return <Failure problem={error} message={failure} onRetry={mutate} />;
  return (
    <Panel p="4">
      {data ? (
        <Form settings={data} onSaved={saved => void mutate(saved, { revalidate: false })} />
      ) : (
        Form.fallback
      )}
    </Panel>
  );
}
