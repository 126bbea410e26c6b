import { Page } from '../../components/page.tsx';

/** The automations of the organization. */
export const AutomationsPage = () => <Page title="Automations">{null}</Page>;
