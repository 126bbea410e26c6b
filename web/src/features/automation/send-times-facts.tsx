import type { SendTimes } from '#shared/schedule.ts';
import { Fact } from '#web/components/facts.tsx';
import { useOrganizationData } from '#web/lib/data.ts';
import { hasDaysOff, listOfDaysOff, zoneText } from './schedule-texts.ts';

type Times = Omit<SendTimes, 'dates_off'> & Partial<SendTimes>;

/** At which time and on which days an automation or a sequence sends. Defaults are left out. */
export function SendTimesFacts({ automation }: { automation: Times }) {
  const isTimed = automation.send_at !== null || hasDaysOff(automation);
  const needsName = isTimed && automation.time_zone_of === 'organization';
  const { data } = useOrganizationData(needsName ? 'GET /api/sending-hours' : undefined);
  if (!isTimed) return null;
  const zone = zoneText(automation, data?.time_zone);
  const daysOff = listOfDaysOff(automation);
  return (
    <>
      {automation.send_at && (
        <Fact name="Time of Day">
          {automation.send_at} {zone}
        </Fact>
      )}
      {daysOff && <Fact name="Days off">{automation.send_at ? daysOff : `${daysOff}, ${zone}`}</Fact>}
    </>
  );
}
