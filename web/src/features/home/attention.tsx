import { Box, Flex, Grid, Text } from '@chakra-ui/react';
import { TriangleAlert } from 'lucide-react';
import type { Attention as Found } from '#shared/attention.ts';
import { TextLink } from '#web/components/button.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Section } from '#web/components/section.tsx';
import { plural } from '#web/lib/format.ts';
import { useMay } from '#web/lib/organization.ts';
import { type NoticeText, noticeText } from './notice-texts.ts';

/** What prevents the organization from sending, each problem with a link to fix it. Renders nothing if there is none. */
export function Attention({ attention: { notices, left_out, ...days } }: { attention: Found }) {
  if (notices.length === 0) return null;
  return (
    <Section title="Needs attention">
      <Panel as="ul" divideY="1px">
        {notices.map(notice => (
          <Row key={`${notice.kind} ${notice.id} ${notice.name}`} {...noticeText(notice, days)} />
        ))}
      </Panel>
      {left_out > 0 && (
        <Text mt="3" fontSize="sm" color="fg.muted">
          {plural(left_out, 'more is', 'more are')} not shown here: begin with these.
        </Text>
      )}
    </Section>
  );
}

function Row({ subject, text, mend, action }: NoticeText) {
  const may = useMay();
  const mayMend = action === undefined || may(action);
  return (
    <Grid
      as="li"
      templateColumns="auto minmax(0, 1fr)"
      columnGap="3"
      px="4"
      py="2.5"
      lineHeight="20px"
      overflowWrap="anywhere"
    >
      <Flex align="flex-start" pt="1px" color="fg.warning" _icon={{ width: '18px', height: '18px' }}>
        <TriangleAlert aria-hidden />
      </Flex>
      <div>
        {subject && (
          <TextLink to={subject.to} fontWeight="medium">
            {subject.name}
          </TextLink>
        )}
        <Text>
          {text}{' '}
          {mayMend ? (
            <TextLink to={mend.to} aria-label={subject ? `${mend.label}: ${subject.name}` : undefined}>
              {mend.label}
            </TextLink>
          ) : (
            <Box as="span" color="fg.muted">
              Please contact an admin or owner.
            </Box>
          )}
        </Text>
      </div>
    </Grid>
  );
}
