import { Box, Flex, Grid, Text } from '@chakra-ui/react';
import type { EmailList } from '#shared/list.ts';
import { compareNames } from '#shared/names.ts';
import { ButtonLink, TextLink } from '#web/components/button.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Section } from '#web/components/section.tsx';
import { Status } from '#web/components/status.tsx';
import { plural } from '#web/lib/format.ts';
import { useMay } from '#web/lib/organization.ts';
import { paths } from '#web/lib/paths.ts';
import { nextStepOf } from './list-status.tsx';

const MOST_SHOWN = 6;

const ROW = {
  as: 'li',
  templateColumns: 'minmax(0, 1fr) auto',
  columnGap: '4',
  rowGap: '1',
  px: '4',
  py: '2.5',
  lineHeight: '20px',
} as const;

export function ListsOverview({ lists }: { lists: EmailList[] }) {
  return (
    <Section
      title="Email lists"
      actions={
        <ButtonLink right="lists:edit" to={paths.newList()}>
          Create list
        </ButtonLink>
      }
    >
      {lists.length === 0 ? (
        <EmptyState
          title="No email lists yet"
          cause="A list holds the contacts that you send to from one of your domains."
        />
      ) : (
        <Panel as="ul" divideY="1px">
          {mostUrgentLists(lists, MOST_SHOWN).map(list => (
            <Grid key={list.id} {...ROW}>
              <TextLink to={paths.list(list.id)} overflowWrap="anywhere" fontWeight="medium">
                {list.name}
              </TextLink>
              <Box color="fg.muted" fontVariantNumeric="tabular-nums">
                {plural(list.members_count, 'member')}
              </Box>
              <Flex gridColumn="1 / -1" wrap="wrap" columnGap="3">
                <ListState list={list} />
              </Flex>
            </Grid>
          ))}
        </Panel>
      )}
      {lists.length > MOST_SHOWN && (
        <Text mt="3" fontSize="sm">
          <TextLink to={paths.lists()}>All {plural(lists.length, 'list')}</TextLink>
        </Text>
      )}
    </Section>
  );
}

function ListState({ list }: { list: EmailList }) {
  const may = useMay();
  const step = nextStepOf(list);
  if (!step) {
    return list.active ? <Status tone="usual">Ready to send</Status> : <Status tone="off">Inactive</Status>;
  }
  return (
    <>
      <Status tone={step.tone === 'warning' ? 'wrong' : 'attention'}>{step.short}</Status>
      {may(step.action) && (
        <TextLink to={step.to} aria-label={`${step.fix}: ${list.name}`}>
          {step.fix}
        </TextLink>
      )}
    </>
  );
}

export const ListsOverviewLoading = () => (
  <Section title="Email lists">
    <Loading shape={[171]} />
  </Section>
);

export const mostUrgentLists = (lists: EmailList[], most: number): EmailList[] =>
  lists
    .toSorted(
      (a, b) =>
        Number(isReady(a)) - Number(isReady(b)) ||
        b.members_count - a.members_count ||
        compareNames(a.name, b.name),
    )
    .slice(0, most);

const isReady = (list: EmailList) => nextStepOf(list) === undefined;
