import { toast } from '../../lib/toasts.ts';

/** Saves a file. What writes it is loaded when one is asked for. */
export async function exportCsv(save: (csv: typeof import('./report-csv.ts')) => void): Promise<void> {
  try {
    save(await import('./report-csv.ts'));
  } catch {
    toast('Failed to export the report. Please try again.', 'error');
  }
}
