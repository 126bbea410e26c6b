import { Box, Text } from '@chakra-ui/react';
import type { ImportForecast } from '#shared/member-import.ts';
import { DataTable } from '#web/components/data-table.tsx';
import { Notice } from '#web/components/notice.tsx';
import { countText, formatNumber, plural } from '#web/lib/format.ts';
import { sampledText } from '#web/lib/sampled.ts';

const UNKNOWN = 'Which emails follow from this import could not be found out.';
const NONE = 'No emails follow from it in the next 30 days.';
const MONTH = 'the number of the 30 days';

export function sentencesOf(forecast: ImportForecast | null, startsNothing: boolean): string[] {
  if (!forecast) return [UNKNOWN];
  const { next_24_hours, next_30_days, automations, sampled } = forecast;
  const of = automations.map(({ name, next_30_days: count }) => `${formatNumber(count)} of ${name}`);
  return [
    next_30_days === 0
      ? NONE
      : `${plural(next_30_days, 'email')} follow in the next 30 days, ${next_24_hours === next_30_days ? 'all' : formatNumber(next_24_hours)} of them within 24 hours${of.length > 0 ? ': ' : ''}${of.join(', ')}.`,
    ...(sampled ? [sampledText(sampled, MONTH)] : []),
    ...(startsNothing ? [] : ['To send none of them, cancel, and choose “Start nothing” in the options.']),
  ];
}

/** The emails that follow from an import, by automation. */
export function ImportEmails({ forecast }: { forecast: ImportForecast | null }) {
  if (!forecast) {
    return (
      <Notice tone="warning" mt="3">
        {UNKNOWN}
      </Notice>
    );
  }
  if (forecast.next_30_days === 0) {
    const margin = forecast.sampled ? ` ${sampledText(forecast.sampled, MONTH)}` : '';
    return <Text mt="3">{`${NONE}${margin}`}</Text>;
  }
  return (
    <Box mt="4">
      <Text mb="2" fontWeight="medium">
        Emails that follow
      </Text>
      <DataTable
        label="Emails that follow"
        rows={forecast.automations}
        rowKey={({ id }) => id}
        count={countText(forecast.automations.length, 'automation')}
        columns={[
          { key: 'name', header: 'Automation', width: 'minmax(0, 2fr)', cell: ({ name }) => name },
          {
            key: 'day',
            header: 'Within 24 hours',
            align: 'end',
            cell: one => formatNumber(one.next_24_hours),
          },
          { key: 'month', header: 'In 30 days', align: 'end', cell: one => formatNumber(one.next_30_days) },
        ]}
        empty={null}
      />
      {forecast.sampled && (
        <Text mt="2" color="fg.muted" fontSize="sm">
          {sampledText(forecast.sampled, MONTH)}
        </Text>
      )}
    </Box>
  );
}
