import { useParams } from 'react-router';
import { Page } from '../../components/page.tsx';
import { useAutomation } from './use-automations.ts';

/** The page of an automation. */
export function AutomationPage() {
  const { automation: id = '' } = useParams();
  const { data } = useAutomation(id);
  return <Page title={data?.name ?? 'Automation'}>{null}</Page>;
}
