import { Box, Flex, Grid, Text } from '@chakra-ui/react';
import { type ReactNode, useState } from 'react';
import type { Automation } from '#shared/automation.ts';
import type { AutomationContent } from '#shared/automation-content.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { Section } from '#web/components/section.tsx';
import { LINK_CONTENT } from '#web/entities/automation/obstacles.ts';
import { useMay } from '#web/lib/organization.ts';
import { newAssetFor, newAssetSetFor, newTemplateFor } from '#web/lib/paths.ts';
import { combinationsText } from './content-texts.ts';
import { LinkedContent } from './linked-content.tsx';
import { choicesOf, firstPlace, placeWith, shownIds } from './shown-email.ts';
import { ShownEmails } from './shown-emails.tsx';
import { TemplateStatus } from './template-status.tsx';

type Props = { automation: Automation; content: AutomationContent; onLink: () => void };

/** The content of an automation, and the emails that are made of it. */
export function WhatItSends({ automation, content, onLink }: Props) {
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
          <LinkedContent
            content={content}
            shown={shownIds(choices, place)}
            showable={new Set(showable)}
            onShow={id => setPlace(placeWith(choices, place, id))}
          />
        </Box>
      </div>
      {isAny && (
        <ShownEmails
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
