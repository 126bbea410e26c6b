import { Box, Flex, Grid, Text } from '@chakra-ui/react';
import { type ReactNode, useState } from 'react';
import type { Automation } from '#shared/automation.ts';
import type { AutomationContent } from '#shared/automation-content.ts';
import { PARTS, REQUIRED_PARTS } from '#shared/email/content.ts';
import { MOST_COMBINATIONS } from '#shared/limits.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Section } from '#web/components/section.tsx';
import { LINK_CONTENT } from '#web/entities/automation/obstacles.ts';
import { formatNumber, plural } from '#web/lib/format.ts';
import { useMay } from '#web/lib/organization.ts';
import { newAssetFor, newAssetSetFor, newTemplateFor, paths } from '#web/lib/paths.ts';
import { missingParts } from './automation-texts.ts';
import { Card } from './card.tsx';
import { ContentRows } from './content-rows.tsx';
import { choicesOf, EmailStepper, firstPlace, placeWith, shownIds } from './email-stepper.tsx';

const PreviewDialog = onDemand(() => import('#web/entities/email/preview-dialog.tsx'));

type Props = { automation: Automation; content: AutomationContent; onLink: () => void };

export function ContentSection({ automation, content, onLink }: Props) {
  const isNothing = content.templates.length + content.assets.length === 0;
  return (
    <Section
      title="What it sends"
      actions={
        !isNothing && (
          <Flex wrap="wrap" gap="2">
            <Actions automation={automation.id} onLink={onLink}>
              <ButtonLink to={newAssetFor(automation.id)}>+ New Email Asset</ButtonLink>
            </Actions>
          </Flex>
        )
      }
    >
      {isNothing ? (
        <Nothing automation={automation} onLink={onLink} />
      ) : (
        <Emails automation={automation} content={content} />
      )}
    </Section>
  );
}

type ActionsProps = { automation: string; onLink: () => void; children: ReactNode };

function Actions({ automation, onLink, children }: ActionsProps) {
  const may = useMay();
  if (!may('content:edit')) return null;
  return (
    <>
      <Button onClick={onLink}>{LINK_CONTENT}</Button>
      <ButtonLink to={newTemplateFor(automation)}>+ New Email Template</ButtonLink>
      {children}
    </>
  );
}

const Nothing = ({ automation, onLink }: Pick<Props, 'automation' | 'onLink'>) => (
  <TemplateStatus
    automation={automation}
    actions={
      <Actions automation={automation.id} onLink={onLink}>
        <ButtonLink to={newAssetSetFor(automation.id)}>+ New Asset Set</ButtonLink>
      </Actions>
    }
  >
    <Text maxWidth="65ch" mb="3" color="fg.muted">
      No content is linked yet. A template is a whole email. Assets are pieces of emails, which are combined:
      a set has one of each type.
    </Text>
  </TemplateStatus>
);

const ALL_TYPES = REQUIRED_PARTS.map(part => PARTS[part]).join(', ');

type StatusProps = {
  automation: Pick<Automation, 'id' | 'name'> & Partial<Pick<Automation, 'email_eligibility'>>;
  isOfAssets?: boolean;
  /** Shown if nothing is linked: what can be linked, and how. */
  children?: ReactNode;
  actions?: ReactNode;
};

function TemplateStatus({ automation, isOfAssets = false, children, actions }: StatusProps) {
  const [isPreviewed, setPreviewed] = useState(false);
  const { email_eligibility: eligibility } = automation;
  const missing = eligibility ? missingParts(eligibility) : [];
  return (
    <Card title="Email Template Status">
      {!eligibility ? (
        <Text color="fg.muted">Eligibility information not available.</Text>
      ) : eligibility.is_eligible ? (
        <>
          <Text mb="3">This automation has at least one active email template.</Text>
          {isOfAssets && (
            <Text mb="3" color="fg.muted">
              It is made of active email assets, one of each type.
            </Text>
          )}
          <Button onClick={() => setPreviewed(true)}>Generate Email Preview</Button>
        </>
      ) : (
        <>
          <Text mb="3">This automation needs at least one active email template.</Text>
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
        </>
      )}
      {isPreviewed && <PreviewDialog automation={automation} onClose={() => setPreviewed(false)} />}
    </Card>
  );
}

const COLUMNS = { base: 'minmax(0, 1fr)', xl: 'minmax(0, 1fr) minmax(0, 600px)' };

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
        <TemplateStatus automation={automation} isOfAssets={content.active.templates === 0} />
        {content.combinations > 0 && (
          <Text my="4" fontSize="sm">
            {combinationsText(content)}
          </Text>
        )}
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
