import { Box, Flex, Grid, Text } from '@chakra-ui/react';
import { Ellipsis } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import type { Automation } from '#shared/automation.ts';
import { Button, ButtonLink, TextLink } from '#web/components/button.tsx';
import { Fact, Facts } from '#web/components/facts.tsx';
import { WithHelpTip } from '#web/components/help-tip.tsx';
import { Loading } from '#web/components/loading.tsx';
import { MenuButton } from '#web/components/menu.tsx';
import { Notice } from '#web/components/notice.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Page } from '#web/components/page.tsx';
import { Section } from '#web/components/section.tsx';
import { ActiveStatus, Status } from '#web/components/status.tsx';
import { useDialog } from '#web/components/use-dialog.ts';
import { AudienceSentence } from '#web/entities/audience/audience.tsx';
import {
  AUTOMATION,
  DeleteAutomation,
  UnlessPaused,
  useAutomation,
  useKnownAutomation,
} from '#web/entities/automation/automation.tsx';
import { guardObstacles } from '#web/entities/automation/guard-texts.ts';
import { LINK_CONTENT, obstaclesOf } from '#web/entities/automation/obstacles.ts';
import { LastChanges } from '#web/entities/record/last-changes.tsx';
import { ToggleButton, useToggle, verbOf } from '#web/entities/toggle.tsx';
import { commandOf, useCommands } from '#web/lib/commands.ts';
import { useOrganizationData } from '#web/lib/data.ts';
import { countText, formatDate, plural } from '#web/lib/format.ts';
import { useMay, useOrganization } from '#web/lib/organization.ts';
import { paths } from '#web/lib/paths.ts';
import { ELIGIBLE_MEANS } from './automation-texts.ts';
import { Card } from './card.tsx';
import { MailsExisting, ObstacleNotices } from './obstacle-notices.tsx';
import { multipleSends, SENDS_MEAN } from './schedule-texts.ts';
import { SendTimesFacts } from './send-times-facts.tsx';

const SimulationDialog = onDemand(() => import('./simulation-dialog.tsx'));

const LOADING = <Loading shape={[172, 'title', 360]} />;

const AutomationParts = onDemand(() => import('./automation-parts.tsx'), LOADING);

export function AutomationPage() {
  const { automation: id = '' } = useParams();
  const { data } = useAutomation(id);
  const known = useKnownAutomation(id);
  const automation = data ?? known;
  return automation ? (
    <Loaded automation={automation} />
  ) : (
    <Page key="loading" title="Automation">
      {LOADING}
    </Page>
  );
}

function Loaded({ automation }: { automation: Automation }) {
  const { id, name, sequence_id } = automation;
  const isStep = sequence_id !== null;
  const navigate = useNavigate();
  const may = useMay();
  const organization = useOrganization();
  const { toggle, actionOf } = useToggle(AUTOMATION);
  const [deleting, setDeleting] = useState(false);
  const simulation = useDialog('simulation');
  const content = useDialog('content');

  // The status has the first one, and the primary button mends it.
  const obstacles = obstaclesOf(automation, organization).filter(({ mend }) => mend);
  const mend = obstacles[0]?.mend;
  const first = mend && may(mend.right) ? mend : undefined;
  const activates = !automation.active && !isStep && may(AUTOMATION.right);
  const others = [
    ...(first || activates ? [{ id: 'simulate', label: 'Simulate', run: simulation.open }] : []),
    ...(isStep
      ? [{ id: 'sequence', label: 'Go to its sequence', to: paths.sequence(sequence_id) }]
      : [
          { id: 'edit', label: 'Edit Automation', right: AUTOMATION.right, to: paths.editAutomation(id) },
          ...(first || !activates ? [actionOf(automation)] : []),
          {
            id: 'delete',
            label: 'Delete Automation',
            group: 'delete',
            danger: true,
            right: AUTOMATION.right,
            run: () => setDeleting(true),
          },
        ]),
  ];

  useCommands([
    commandOf(name, 'Simulate sending volume', 'simulation', simulation.open),
    ...(may(AUTOMATION.right) ? [commandOf(name, LINK_CONTENT, 'template asset', content.open)] : []),
    ...(may(AUTOMATION.right) && !isStep
      ? [
          commandOf(name, 'Edit automation', 'schedule lists', () => navigate(paths.editAutomation(id))),
          commandOf(
            name,
            `${verbOf(automation.active)} automation`,
            'status',
            () => void toggle(automation, !automation.active),
          ),
        ]
      : []),
  ]);

  return (
    <Page
      title={name}
      actions={
        <>
          {first ? (
            <ButtonLink variant="solid" to={first.to}>
              {first.label}
            </ButtonLink>
          ) : activates ? (
            <ToggleButton entity={AUTOMATION} item={automation} isPrimary />
          ) : (
            <Button variant="solid" onClick={simulation.open}>
              Simulate
            </Button>
          )}
          <MenuButton aria-label="More actions" px="2" items={others}>
            <Ellipsis aria-hidden />
          </MenuButton>
        </>
      }
    >
      <ObstacleNotices
        obstacles={[...guardObstacles(automation), ...obstacles.slice(1)]}
        isActive={automation.active}
        about={[
          isStep && <StepNotice key="step" sequence={sequence_id} />,
          automation.mails_existing && <MailsExisting key="existing" />,
        ].filter(notice => notice !== false && notice !== undefined)}
      />
      <AutomationParts key={id} automation={automation} linking={content}>
        <Section title="Settings">
          <Settings automation={automation} />
        </Section>
        <LastChanges of={id} />
      </AutomationParts>
      {simulation.isOpen && <SimulationDialog automation={automation} onClose={simulation.close} />}
      {deleting && <DeleteAutomation automation={automation} leaves onClose={() => setDeleting(false)} />}
    </Page>
  );
}

const Settings = ({ automation }: { automation: Automation }) => (
  <Grid
    templateColumns={{ base: 'minmax(0, 1fr)', xl: 'repeat(2, minmax(0, 1fr))' }}
    gap="4"
    alignItems="start"
  >
    <AutomationDetails automation={automation} />
    <ConnectedLists {...automation} />
  </Grid>
);

/** Its name, if it can be loaded, and where it is changed. */
function StepNotice({ sequence }: { sequence: string }) {
  const { data } = useOrganizationData('GET /api/sequences/{sequence}', { params: { sequence } });
  return (
    <Notice tone="info" action={<TextLink to={paths.sequence(sequence)}>Open the sequence</TextLink>}>
      This is a step of the sequence{data && ` ${data.name}`}: its lists, its schedule and its switch are
      there.
    </Notice>
  );
}

function AutomationDetails({ automation }: { automation: Automation }) {
  const { active, repeat, every_x_days, delay_days, stop_after_days, metadata_trigger, starts_at } =
    automation;
  const sends = multipleSends(automation);
  return (
    <Card title="Details">
      <Facts>
        <Fact name="Status">
          <UnlessPaused mailing={automation}>
            <ActiveStatus active={active} />
          </UnlessPaused>
        </Fact>
        <Fact name={<WithHelpTip word="Email Eligibility">{ELIGIBLE_MEANS}</WithHelpTip>}>
          <EligibilityStatus automation={automation} />
        </Fact>
        {repeat === 'days' && (
          <>
            <Fact name="Frequency">Every {plural(every_x_days, 'day')}</Fact>
            <Fact name="Delay">
              {delay_days === 0 ? 'None, starts immediately' : plural(delay_days, 'day')}
            </Fact>
            {stop_after_days !== null && <Fact name="Stop After">{plural(stop_after_days, 'day')}</Fact>}
          </>
        )}
        <SendTimesFacts automation={automation} />
        {metadata_trigger && (
          <Fact
            name={
              <WithHelpTip word={starts_at === 'event' ? 'Event' : 'Trigger'}>
                {['What the automation counts its days from.', 'triggers']}
              </WithHelpTip>
            }
          >
            {metadata_trigger}
          </Fact>
        )}
        <Fact name="Who gets it">
          {automation.audience ? (
            <AudienceSentence audience={automation.audience} />
          ) : (
            'Everybody on its lists'
          )}
        </Fact>
        <Fact name="Created">{formatDate(automation.created_at)}</Fact>
        {sends.length > 0 && (
          <Fact name={<WithHelpTip word="Multiple Sends">{[SENDS_MEAN, 'occurrences']}</WithHelpTip>}>
            {sends.join(', ')}
          </Fact>
        )}
      </Facts>
      {sends.length === 0 && <Note>No multiple sends are configured for this automation.</Note>}
      {!metadata_trigger && <Note>Without a trigger column, it starts when a member was added.</Note>}
    </Card>
  );
}

const Note = ({ children }: { children: ReactNode }) => (
  <Text mt="3" color="fg.muted">
    {children}
  </Text>
);

function EligibilityStatus({ automation }: { automation: Automation }) {
  if (!automation.email_eligibility) return 'Unknown';
  return automation.email_eligibility.is_eligible ? (
    <UnlessPaused mailing={automation}>
      <Status tone="usual">Eligible to send emails</Status>
    </UnlessPaused>
  ) : (
    <Status tone="attention">Not eligible to send emails</Status>
  );
}

const ConnectedLists = ({ email_lists }: Pick<Automation, 'email_lists'>) => (
  <Card
    title="Connected Email Lists"
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
