import { Box, Flex, Grid, Text } from '@chakra-ui/react';
import { Ellipsis } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Automation } from '#shared/automation.ts';
import type { AutomationContent } from '#shared/automation-content.ts';
import { PARTS, REQUIRED_PARTS } from '#shared/email/content.ts';
import { MOST_COMBINATIONS } from '#shared/limits.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { MenuButton } from '#web/components/menu.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Section } from '#web/components/section.tsx';
import { LINK_CONTENT, SKIPPED_UNTIL } from '#web/entities/automation/obstacles.ts';
import { formatNumber, plural } from '#web/lib/format.ts';
import { newAssetFor, newAssetSetFor, newTemplateFor, paths } from '#web/lib/paths.ts';
import { missingParts } from './automation-texts.ts';
import { Card } from './card.tsx';
import { ContentRows } from './content-rows.tsx';
import { choicesOf, EmailStepper, firstPlace, placeWith, shownIds } from './email-stepper.tsx';

const PreviewDialog = onDemand(() => import('#web/entities/email/preview-dialog.tsx'));

type Props = { automation: Automation; content: AutomationContent; onLink: () => void };

export function ContentSection({ automation, content, onLink }: Props) {
  const { id, email_eligibility: eligibility }: OlderAutomation = automation;
  const [isPreviewed, setPreviewed] = useState(false);
  const isNothing = content.templates.length + content.assets.length === 0;
  const right = 'content:edit';
  return (
    <Section
      title="What it sends"
      actions={
        <Flex wrap="wrap" gap="2">
          {eligibility?.is_eligible && (
            <Button onClick={() => setPreviewed(true)}>Generate Email Preview</Button>
          )}
          {!isNothing && (
            <>
              <Button right={right} onClick={onLink}>
                {LINK_CONTENT}
              </Button>
              <MenuButton
                aria-label="New content"
                px="2"
                items={[
                  { id: 'template', label: '+ New Email Template', right, to: newTemplateFor(id) },
                  { id: 'asset', label: '+ New Email Asset', right, to: newAssetFor(id) },
                ]}
              >
                <Ellipsis aria-hidden />
              </MenuButton>
            </>
          )}
        </Flex>
      }
    >
      {isNothing ? (
        <TemplateStatus
          {...automation}
          actions={
            <>
              <ButtonLink right={right} to={newTemplateFor(id)}>
                + New Email Template
              </ButtonLink>
              <ButtonLink right={right} to={newAssetSetFor(id)}>
                + New asset set
              </ButtonLink>
            </>
          }
        >
          <Text maxWidth="65ch" mb="3" color="fg.muted">
            No content is linked yet. A template is a whole email. Assets are pieces of emails, which are
            combined: a set has one of each type.
          </Text>
        </TemplateStatus>
      ) : (
        <Emails automation={automation} content={content} />
      )}
      {isPreviewed && <PreviewDialog automation={automation} onClose={() => setPreviewed(false)} />}
    </Section>
  );
}

/** An older API answers none. */
type OlderAutomation = Pick<Automation, 'id' | 'active'> & Partial<Pick<Automation, 'email_eligibility'>>;

const ALL_TYPES = REQUIRED_PARTS.map(part => PARTS[part]).join(', ');

type StatusProps = OlderAutomation & {
  /** Shown if nothing is linked: what can be linked, and how. */
  children?: ReactNode;
  actions?: ReactNode;
};

function TemplateStatus({ active, email_eligibility: eligibility, children, actions }: StatusProps) {
  const missing = eligibility ? missingParts(eligibility) : [];
  if (eligibility?.is_eligible) return <Text>This automation has at least one active email template.</Text>;
  if (!eligibility) return <Text color="fg.muted">Eligibility information not available.</Text>;
  return (
    <Card title="Email Template Status">
      <Text mb="3">This automation needs at least one active email template.</Text>
      {active && <Text mb="3">{SKIPPED_UNTIL}</Text>}
      <Text mb="3" color="fg.muted">
        {missing.length < REQUIRED_PARTS.length
          ? `Its email assets would do if these were there too: ${missing.join(', ')}.`
          : `Active email assets do as well, one of each of these types: ${ALL_TYPES}.`}
      </Text>
      {children}
      <Flex wrap="wrap" gap="2">
        {actions}
        <ButtonLink to={paths.emailTemplates()}>Go to Email Templates</ButtonLink>
      </Flex>
    </Card>
  );
}

const COLUMNS = { base: 'minmax(0, 1fr)', xl: 'minmax(340px, 1fr) minmax(0, 600px)' };

function Emails({ automation, content }: Omit<Props, 'onLink'>) {
  const choices = choicesOf(content);
  const [chosen, setPlace] = useState(() => firstPlace(choices));
  // Other users may have linked or unlinked content since.
  const isThere =
    chosen.length === choices.length && choices.every(({ items }, at) => items[chosen[at] ?? 0]);
  const place = isThere ? chosen : firstPlace(choices);
  const isAny = choices.length > 0 && choices.every(({ items }) => items.length > 0);
  const showable = isAny
    ? choices.flatMap(({ items }) => (items.length > 1 ? items.map(({ id }) => id) : []))
    : [];
  return (
    <Grid templateColumns={COLUMNS} columnGap="8" rowGap="6" alignItems="start">
      <div>
        <TemplateStatus {...automation} />
        {content.combinations > 0 && <Text mt="1">{combinationsText(content)}</Text>}
        <Box mt="4">
          <ContentRows
            content={content}
            automation={automation.id}
            shown={shownIds(choices, place)}
            showable={new Set(showable)}
            onShow={id => setPlace(placeWith(choices, place, id))}
          />
        </Box>
      </div>
      {isAny && (
        <EmailStepper
          automation={automation.id}
          choices={choices}
          combinations={content.combinations}
          place={place}
          onStep={setPlace}
        />
      )}
    </Grid>
  );
}

export function combinationsText({ active, combinations }: AutomationContent): string {
  const { templates, assets } = active;
  if (templates > 0) {
    const what =
      templates === 1
        ? 'Every email is its one active template.'
        : `Each email is one of its ${formatNumber(templates)} active templates, chosen at random.`;
    const unused = Object.values(assets).some(count => count > 0);
    return unused ? `${what} Its assets are used only while it has no active template.` : what;
  }
  const many =
    combinations > MOST_COMBINATIONS
      ? ` Each day chooses from ${formatNumber(MOST_COMBINATIONS)} of them, and the next day from others.`
      : '';
  return combinations === 1
    ? 'Every email is the same: there is one asset of each type.'
    : `${plural(combinations, 'combination')}: each email has one asset of each type, chosen at random.${many}`;
}
