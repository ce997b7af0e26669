; The installer for Windows, for one user and without an administrator: `assets/windows/package` runs makensis on it.
; What must hold: nothing is written outside of the folder, the Start menu and the user's part of the registry; removing
; takes all of that away and leaves the data of the user. Silent with /S.

Unicode true
Target amd64-unicode
!ifdef QUICK
  SetCompressor zlib
!else
  SetCompressor /SOLID lzma
!endif

!define KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Lunette"
!define CLASSES "Software\Classes"

Name "Lunette"
OutFile "${OUTPUT}"
InstallDir "$LOCALAPPDATA\Programs\Lunette"
InstallDirRegKey HKCU "${KEY}" "InstallLocation"
RequestExecutionLevel user
Icon "${ROOT}/assets/icon/lunette.ico"
UninstallIcon "${ROOT}/assets/icon/lunette.ico"
LicenseData "${ROOT}/LICENSE-MIT"
VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "Lunette"
VIAddVersionKey "FileDescription" "Installer of Lunette"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "LegalCopyright" "Copyright (c) 2026 The Lunette authors"
SetOverwrite on
AllowSkipFiles off

Page license
Page directory
Page instfiles
UninstPage uninstConfirm
UninstPage instfiles

; Windows keeps a program that runs from being written; this tells before anything is changed.
!macro EnsureClosed un
Function ${un}EnsureClosed
  IfFileExists "$INSTDIR\lunette.exe" 0 closed
  ClearErrors
  FileOpen $0 "$INSTDIR\lunette.exe" a
  IfErrors open
  FileClose $0
  FileOpen $0 "$INSTDIR\lunettew.exe" a
  IfErrors open
  FileClose $0
  Goto closed
open:
  MessageBox MB_OK|MB_ICONEXCLAMATION "Lunette is running. Close it, and start this again." /SD IDOK
  SetErrorLevel 2
  Quit
closed:
FunctionEnd
!macroend
!insertmacro EnsureClosed ""
!insertmacro EnsureClosed "un."

Section
  Call EnsureClosed
  SetOutPath "$INSTDIR"
  File /r "${FILES}/*"
  WriteUninstaller "$INSTDIR\uninstall.exe"

  ; The window has no console; a console has the program of that name.
  CreateShortCut "$SMPROGRAMS\Lunette.lnk" "$INSTDIR\lunettew.exe"

  WriteRegStr HKCU "${CLASSES}\lunette" "" "URL:Lunette"
  WriteRegStr HKCU "${CLASSES}\lunette" "URL Protocol" ""
  WriteRegStr HKCU "${CLASSES}\lunette\DefaultIcon" "" '"$INSTDIR\lunettew.exe",0'
  WriteRegStr HKCU "${CLASSES}\lunette\shell\open\command" "" '"$INSTDIR\lunettew.exe" open "%1"'
  ; Offered under "Open with" for every file, and the default for none.
  WriteRegStr HKCU "${CLASSES}\Applications\lunettew.exe" "FriendlyAppName" "Lunette"
  WriteRegStr HKCU "${CLASSES}\Applications\lunettew.exe\shell\open\command" "" '"$INSTDIR\lunettew.exe" open "%1"'
  ; Found by "Run" and the Start menu under its name. The search path of consoles is left alone.
  WriteRegStr HKCU "Software\Microsoft\Windows\CurrentVersion\App Paths\lunette.exe" "" "$INSTDIR\lunette.exe"

  WriteRegStr HKCU "${KEY}" "DisplayName" "Lunette"
  WriteRegStr HKCU "${KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${KEY}" "DisplayIcon" "$INSTDIR\lunettew.exe"
  WriteRegStr HKCU "${KEY}" "Publisher" "The Lunette authors"
  WriteRegStr HKCU "${KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${KEY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${KEY}" "EstimatedSize" ${SIZE}
  WriteRegDWORD HKCU "${KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${KEY}" "NoRepair" 1
SectionEnd

Section "Uninstall"
  Call un.EnsureClosed
  ; By name, so that a folder with files of the user keeps them.
  Delete "$INSTDIR\lunette.exe"
  Delete "$INSTDIR\lunettew.exe"
  Delete "$INSTDIR\LICENSE-MIT.txt"
  Delete "$INSTDIR\LICENSE-APACHE.txt"
  Delete "$INSTDIR\THIRD-PARTY.txt"
  Delete "$INSTDIR\README.md"
  Delete "$INSTDIR\SECURITY.md"
  Delete "$INSTDIR\docs\*.md"
  RMDir "$INSTDIR\docs"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Lunette.lnk"
  DeleteRegKey HKCU "${CLASSES}\lunette"
  DeleteRegKey HKCU "${CLASSES}\Applications\lunettew.exe"
  DeleteRegKey HKCU "Software\Microsoft\Windows\CurrentVersion\App Paths\lunette.exe"
  DeleteRegKey HKCU "${KEY}"
SectionEnd
