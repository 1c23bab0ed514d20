import { createContext, useContext } from 'react';
import type { Event } from '../../../../platform/api/types';

export interface WorkspaceState {
  event: Event;
  /** Where what is selected stands in for the header. */
  selectionSlot: HTMLElement | null;
  setSelecting: (selecting: boolean) => void;
}

export const WorkspaceContext = createContext<WorkspaceState | null>(null);

export function useWorkspace(): WorkspaceState {
  const workspace = useContext(WorkspaceContext);
  if (workspace === null) throw new Error('useWorkspace must be used within a Workspace');
  return workspace;
}

/** The event whose workspace a screen is in. */
export const useWorkspaceEvent = (): Event => useWorkspace().event;
